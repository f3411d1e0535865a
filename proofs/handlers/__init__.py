"""Prove that what is emitted does what the standard's algorithms do, for every input, with z3.

Nothing is modelled by hand: the emitted functions as `generator.spec.emitted` reads them, and the standard's programs
as `generator.spec.machine` runs them, are run over symbolic numbers, once for each way through both.
"""
