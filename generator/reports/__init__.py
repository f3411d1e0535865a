"""What only reads and reports: nothing here decides what is generated.

`diff` compares snapshots, `explorer` is the data of that page, `index_files` writes indexes in the standard's form, and
`sizes` sums up tables and modules.
"""
