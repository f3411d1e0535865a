"""Proofs that emitted handlers do what the standard's algorithms do, and kernels what the handlers do (README.md)."""
