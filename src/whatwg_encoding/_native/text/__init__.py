"""Encodings, decoders, encoders, and the chapters of the standard, which ``generated/`` has."""
