"""The pinned data and what is generated from it, read and checked once for all tests of a process that need it."""

from functools import cache

from generator import modules, snapshot

PINNED = snapshot.load()


@cache
def chapters() -> dict[str, modules.Chapter]:
    """Return the modules by name. Collecting tests does not need them, which takes a second."""
    _, chapters_of_all, refusals = modules.fitting(PINNED)
    assert refusals == []
    return {chapter.name: chapter for chapter in chapters_of_all}


@cache
def codecs() -> dict[str, modules.Codec]:
    """Return the encodings by name, as templates use them."""
    return {codec.name: codec for chapter in chapters().values() for codec in chapter.encodings}
