"""Mutants of the standard's algorithms, of emitted handlers and of kernels: `make mutants`, `make mutants-kernels`."""
