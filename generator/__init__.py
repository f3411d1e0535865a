"""Generate Cython modules from the pinned data of the standard. Pure Python; not part of the wheel.

What emits: ``fetch`` and ``derive`` get the data, ``snapshot``, ``model`` and ``validate`` hold and check it, ``spec``
compiles the standard's text, ``handlers``, ``names``, ``contexts``, ``steps`` and ``tables`` say what is emitted,
``held`` compares it with the standard, ``render`` and ``emit`` write it. ``detect`` counts text. ``reports`` decides
nothing.
"""
