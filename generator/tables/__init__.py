"""Layouts of the look-up tables: each builds itself from a mapping and looks keys up as the emitted C does."""

from __future__ import annotations

from generator.tables.dense import Dense
from generator.tables.pointers import Pointers
from generator.tables.two_stage import TwoStage

Table = Dense | TwoStage

__all__ = ["Dense", "Pointers", "Table", "TwoStage"]
