"""Look up the steps that templates name in another program, by their statements: no number is written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from generator.model import GeneratorError
from generator.spec import notation
from generator.spec.machine import pinned
from generator.spec.program import Algorithm, Local, Member, Node, Programs, mapped
from generator.steps import StepNumbers, compressed, expand


def _statements(algorithm: Algorithm) -> list[tuple[str, str]]:
    """Return the step and the text of each numbered statement, in which all variables have the same name."""

    def anonymous(node: Node) -> Node:
        return type(node)("name") if isinstance(node, Local | Member) else node

    return [(line.step, line.text) for line in notation.lines(mapped(algorithm.body, anonymous)) if line.step]


def _counterparts(old: Algorithm, new: Algorithm) -> Iterator[tuple[str, str]]:
    """Yield the steps of each statement in both programs.

    A new statement belongs to the one before it, and one that is gone to the one in its place.
    """
    before, after = _statements(old), _statements(new)
    matcher = SequenceMatcher(None, [text for _, text in before], [text for _, text in after], autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        for offset in range(max(last - first, end - start)):
            old_place = max(min(first + offset, last - 1), 0)
            new_place = min(start + offset, max(end - 1, start), len(after) - 1)
            yield before[old_place][0], after[new_place][0]


def named(old: Algorithm, new: Algorithm) -> Algorithm:
    """Return a program with the names that its steps have in the one before."""
    counterparts = list(dict.fromkeys(_counterparts(old, new)))
    order = list(dict.fromkeys(step for step, _ in _statements(new)))
    names = []
    for name, numbers in old.names:
        steps = {step for path in expand(numbers) for known, step in counterparts if known == path}
        names.append((name, compressed(sorted(steps, key=order.index))))
    return replace(new, names=tuple(names))


def carried(old: Algorithm | None, new: Algorithm) -> Algorithm:
    """Return a program with the names of the one before, if there is one that has any."""
    return named(old, new) if old is not None and old.names else new


def resolved(steps: StepNumbers, programs: Programs) -> StepNumbers:
    """Return a handler's steps with the numbers that they have in the programs.

    A program without names has those of the pinned one, or of the one that the handler says it is like. Raise a
    GeneratorError if there is none.
    """
    program = programs.get(steps.anchor)
    if program is None:
        raise GeneratorError(f"the standard has no #{steps.anchor}, whose steps a template cites")
    if not program.names:
        candidates = (pinned().get(steps.anchor), programs.get(steps.like), pinned().get(steps.like))
        before = next((like for like in candidates if like is not None and like.names), None)
        if before is None:
            raise GeneratorError(
                f"the steps of #{steps.anchor} have no names: say in its entry in generator/handlers.py, which "
                "algorithm it is like"
            )
        program = named(before, program)
    return replace(steps, numbers=dict(program.names))
