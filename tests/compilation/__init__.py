"""How the modules are compiled, on the machine that compiles them."""
