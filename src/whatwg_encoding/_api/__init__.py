"""The standard's interfaces: the indexes, the JavaScript-like API, results, and checks of arguments."""
