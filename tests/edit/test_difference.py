"""What `differences` finds: that it is one, and that its work is bounded."""

from __future__ import annotations

from random import Random

import pytest

from whatwg_encoding._editing import difference
from whatwg_encoding._editing.difference import align, differences


def applied(old: str, new: str) -> str:
    parts, position, new_position = [], 0, 0
    for start, end, new_start, new_end in differences(old, new):
        assert position <= start <= end
        assert start - position == new_start - new_position  # what is between differences is equal
        assert start < end or new_start < new_end
        parts += [old[position:start], new[new_start:new_end]]
        position, new_position = end, new_end
    return "".join([*parts, old[position:]])


@pytest.mark.parametrize("letters", ["ab", "ab\n", "abcdefgh \n\r\u2028", "日本語\n😀"])
def test_applying_the_differences_gives_the_new_text(letters: str) -> None:
    random = Random(letters)
    for _ in range(500):
        old = "".join(random.choices(letters, k=random.randint(0, 60)))
        if random.random() < 0.3:
            new = "".join(random.choices(letters, k=random.randint(0, 60)))
        else:
            start = random.randint(0, len(old))
            new = old[:start] + random.choice(letters) + old[start + random.randint(0, 2) :]
        assert applied(old, new) == new


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []), ("a", "a", []), ("", "a", [(0, 0, 0, 1)]), ("abc", "ac", [(1, 2, 1, 1)]),
        ("x = 1;\ny = 1;\n", "x = 2;\ny = 3;\n", [(4, 5, 4, 5), (11, 12, 11, 12)]),
        ("one\ntwo\nsix\n", "zero\none\nsix\nten\n", [(0, 0, 0, 5), (4, 8, 9, 9), (12, 12, 13, 17)]),
        ("aa bb cc\n", "aa b cx\n", [(4, 5, 4, 4), (7, 8, 6, 7)]),
    ],
)  # fmt: skip
def test_what_differs(old: str, new: str, expected: list[tuple[int, int, int, int]]) -> None:
    assert differences(old, new) == expected


def test_what_is_equal_at_the_ends_is_found_whole() -> None:
    for length in range(100):
        for before, after in ((0, length), (length, 0), (length // 3, length)):
            old, new = ("a" * before + middle + "a" * after for middle in "xy")
            assert differences(old, new) == [(before, before + 1, before, before + 1)]


def test_every_changed_line_of_many_is_compared_by_itself() -> None:
    lines = [f"{number} x {number} y" for number in range(3000)]
    changed = [line.replace("x", "z") if number % 3 else line for number, line in enumerate(lines)]
    assert len(differences("\n".join(lines), "\n".join(changed))) == 2000


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts without anything unique, on which comparing all with all would be quadratic."""
    work = []

    class Counted(difference.SequenceMatcher):  # type: ignore[type-arg]
        def __init__(self, isjunk: None, a: str, b: str, autojunk: bool) -> None:
            work.append(len(a) * len(b))
            super().__init__(isjunk, a, b, autojunk)

    monkeypatch.setattr(difference, "SequenceMatcher", Counted)
    random = Random("bound")
    old, new = ("".join(random.choices("ab\n", k=200_000)) for _ in range(2))
    assert applied(old, new) == new
    assert max(work) <= difference._MOST_WORK
    assert sum(work) <= difference._MOST_WORK_IN_ALL


def test_alignment_of_items() -> None:
    assert align("aXb", "aYYb") == [(0, 0), (2, 3)]
    assert align("aab", "ab") == [(0, 0), (2, 1)]
    assert align("", "a") == []
    assert align("abcd", "xbcy") == [(1, 1), (2, 2)]
    assert align("a" * 1000, "b" * 1000) == []
