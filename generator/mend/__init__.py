"""What `repair` knows of good text: counted by `python -m generator.mend`, which writes `data/mojibake.json`."""
