"""Look up the steps that templates name in another program, by their statements: no number is written by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from generator.model import GeneratorError
from generator.spec import notation
from generator.spec.machine import pinned
from generator.spec.program import Algorithm, Local, Member, Node, Programs, Symbol, mapped
from generator.steps import StepNumbers, compressed, expand


def _statements(algorithm: Algorithm) -> dict[str, tuple[str, int]]:
    """Return what each step says, whatever its variables are called, and how many steps before it say the same."""

    def anonymous(node: Node) -> Node:
        return type(node)("name") if isinstance(node, Local | Member | Symbol) else node

    texts: dict[str, str] = defaultdict(str)
    for line in notation.lines(mapped(algorithm.body, anonymous)):
        texts[line.step] += f"{line.text}\n"
    statements, before = {}, Counter[str]()
    for step, text in texts.items():
        statements[step] = text, before[text]
        before[text] += 1
    return statements


def named(old: Algorithm, new: Algorithm) -> Algorithm:
    """Return a program with the names of the one before: of steps that say the same, or else have the same number."""
    before, after = _statements(old), _statements(new)
    steps = {statement: step for step, statement in after.items()}
    order = list(after)
    names = []
    for name, numbers in old.names:
        carried = {steps.get(before[path], path) for path in expand(numbers)}
        names.append((name, compressed(sorted(carried & after.keys(), key=order.index)) or numbers))
    return replace(new, names=tuple(names))


def resolved(steps: StepNumbers, programs: Programs) -> StepNumbers:
    """Return a handler's steps with the numbers that they have in the programs.

    A program without names has those of the pinned one, or of the one that the handler says it is like. Raise a
    GeneratorError if there is none.
    """
    program = programs.get(steps.anchor)
    if program is None:
        raise GeneratorError(f"the standard has no #{steps.anchor}, whose steps a template cites")
    candidates = (program, pinned().get(steps.anchor), programs.get(steps.like), pinned().get(steps.like))
    known = next((like for like in candidates if like is not None and like.names), None)
    if known is None:
        raise GeneratorError(
            f"the steps of #{steps.anchor} have no names: say in its entry in generator/handlers.py, which "
            "algorithm it is like"
        )
    return replace(steps, numbers=dict(named(known, program).names))
