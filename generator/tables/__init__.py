"""Layouts of the lookup tables: each is built from a mapping, and its `lookup` mirrors the emitted C."""

from __future__ import annotations

from generator.tables.answers import Answers
from generator.tables.dense import Dense
from generator.tables.pointers import Pointers
from generator.tables.two_stage import TwoStage

Table = Dense | TwoStage

__all__ = ["Answers", "Dense", "Pointers", "Table", "TwoStage"]
