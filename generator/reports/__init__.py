"""What only reads and reports: nothing here decides what is generated.

`diff` compares snapshots, `index_files` writes indexes in the standard's form, and `sizes` sums up tables and modules.
"""
