"""The examples of examples/, each with the engine it is for."""
