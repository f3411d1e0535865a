"""The statistics of text on which encoding detection rests: from pinned packages to `data/detection.json`.

`python -m generator.detect` (`make detect-table`) reads the packages in `sources`, counts pairs of classes of
characters (`classes`, `statistics`) and writes the file. Emitting `generated/detect_table.h` from it (`table`) needs
neither the packages nor a network. `fit` says which priors and costs of errors would be right more often.
"""
