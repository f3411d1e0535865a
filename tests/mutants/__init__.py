"""Mutants of the standard's algorithms against the compiled package: `make mutants`."""
