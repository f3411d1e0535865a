"""What only reads and reports: nothing here decides what is generated.

`diff` compares snapshots, `explorer` is the data of that page, `inspect` leads from bytes to the standard's steps and
their code, which `locations` finds, `index_files` writes indexes in the standard's form, and `sizes` sums up tables and
modules.
"""
