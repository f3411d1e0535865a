"""The pinned data and what is generated from it, read and checked once for all tests of a process."""

from generator import emit, snapshot

PINNED = snapshot.load()
CHAPTERS = {chapter.name: chapter for chapter in emit.chapters(PINNED)}
CODECS = {codec.name: codec for chapter in CHAPTERS.values() for codec in chapter.encodings}
