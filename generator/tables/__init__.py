"""Layouts of the look-up tables: each builds itself from plain mappings and looks up as the emitted C does."""

from __future__ import annotations

from generator.tables.dense import Dense
from generator.tables.two_stage import TwoStage

Table = Dense | TwoStage

__all__ = ["Dense", "Table", "TwoStage"]
