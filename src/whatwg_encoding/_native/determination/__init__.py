"""Which encoding a resource is in: what it declares, and what its text suggests."""
