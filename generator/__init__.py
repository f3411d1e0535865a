"""Generate Cython modules from the pinned data of the standard. Pure Python; not part of the wheel.

In the order of the flow: ``fetch`` downloads the data; ``snapshot`` reads it into a ``model``, and ``validate`` checks
it; ``update`` replaces it; ``spec`` compiles and runs the standard's algorithms; ``handlers`` says for each encoding
which template, steps and ``tables`` it has, ``modules`` what each module is made of; ``render`` and ``emit`` write
``generated``. ``cache`` saves calculating again. ``detect`` counts text for detection. ``reports`` only reads.
"""
