"""The inputs of the doors: texts, pages and bytes that are the same on every machine, of a size in bytes.

doors.toml has the sentences, and the expressions that call these functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from benchmarks import DOORS, codec_of


def _sentences(language: str) -> Iterator[str]:
    """Yield the sentences of a text in its order, and then in others, since branch predictors learn a repeated text."""
    words: list[str] = DOORS["texts"][language].replace("。", "。\0").replace(". ", ". \0").split("\0")
    random = Random(language)
    while True:
        yield from filter(None, words)
        random.shuffle(words)


def text(language: str, size: int, codec: str = "utf-8") -> str:
    """Return a text of at most ``size`` bytes in ``codec``."""
    parts, total = [], 0
    sentences = _sentences(language)
    while total < size:
        parts.append(next(sentences))
        total += len(parts[-1].encode(codec, "replace"))
    return "".join(parts).encode(codec, "replace")[:size].decode(codec, "ignore")


def lines(language: str, size: int) -> str:
    """Return a text of lines of about eighty bytes."""
    line = text(language, 80)
    return f"{line}\n" * (size // len(f"{line}\n".encode()))


def encoded(language: str, size: int, encoding: str) -> bytes:
    """Return plain text in an encoding."""
    codec = codec_of(encoding)
    return text(language, size, codec).encode(codec, "replace")


def page(language: str, size: int, encoding: str = "UTF-8", *, declared: bool = False) -> bytes:
    """Return a page of HTML: half of it is markup."""
    meta = f'<meta charset="{encoding}">' if declared else '<meta name="viewport" content="width=device-width">'
    head = f"<!DOCTYPE html><html><head>{meta}<title>".encode("ascii")
    codec = codec_of(encoding)
    parts, total = [head], len(head)
    for number, sentence in enumerate(_sentences(language)):
        parts.append(f'<p class="entry"><a href="/list/{number}">'.encode("ascii"))
        parts.append(sentence.encode(codec, "replace"))
        parts.append(b"</a></p>\n")
        total += sum(map(len, parts[-3:]))
        if total >= size:
            break
    whole = b"".join(parts)[:size]
    return whole.decode(codec, "ignore").encode(codec)


def one_error(data: bytes) -> bytes:
    """Return ``data`` with a byte in its middle that no sequence of UTF-8 has."""
    middle = len(data) // 2
    return data[:middle] + b"\xff" + data[middle:]


def misread(language: str, size: int, codec: str = "cp1252") -> str:
    """Return a text of ``size`` characters at most, of which the UTF-8 was decoded as ``codec``."""
    part = text(language, 3 * size)
    while True:
        data = part.encode()
        garbled = data.decode(codec, "replace") if codec != "cp1252" else _windows_1252(data)
        if len(garbled) <= size:
            return garbled
        part = part[:-1]


def _windows_1252(data: bytes) -> str:
    """Return what the standard's windows-1252 reads, which has a character for each byte."""
    return "".join(bytes((byte,)).decode("cp1252", "ignore") or chr(byte) for byte in data)


def names(number: int) -> list[str]:
    """Return short names, of which every fourth is garbled."""
    kinds = ("Grace Hopper {}", "山田太郎{}", "Señor Núñez {}", "cafÃ© crÃ¨me {}")
    return [kinds[position % 4].format(position) for position in range(number)]


def mail(charset: str = "utf-8") -> bytes:
    """Return a message of two parts with encoded headers."""
    subject = text("fr", 60)
    word = "".join(f"={byte:02X}" for byte in subject.encode(charset))
    body = text("fr", 1000, charset).encode(charset, "replace")
    return (
        (
            f"From: =?{charset}?q?Andr=C3=A9?= <andre@example.org>\r\nTo: list@example.org\r\n"
            f"Subject: =?{charset}?q?{word}?=\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
            f"--b\r\nContent-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        ).encode("ascii")
        + body
        + b"\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>short</p>\r\n--b--\r\n"
    )
