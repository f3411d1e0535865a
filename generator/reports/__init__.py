"""What only reads and reports: nothing here decides what is generated.

`diff` compares snapshots, and `index_files` writes indexes in the standard's form.
"""
