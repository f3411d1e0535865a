"""The algorithms of the standard, compiled: from its source to programs in Python.

`source` reads the source as a tree of steps, `lexicon` divides a step into tokens, `grammar` holds the patterns of
sentences and `matching` applies them, `program` is what they mean: typed statements. `compiler` makes a program of each
algorithm; `notation` writes programs for data/algorithms.toml and reads them back; `reference` writes them as modules
of Python, and `machine` runs these. Whatever these do not cover is an error that shows the sentence: see `errors`.
"""
