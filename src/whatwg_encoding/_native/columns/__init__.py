"""Columns of documents: arrays of the Arrow C data interface."""
