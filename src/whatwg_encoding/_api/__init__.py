"""The standard's interfaces: the JavaScript-like API, results, and checks of arguments."""
