"""How declarations hold: right ones against the judgement of text, and pages against what someone inserts in them.

    python -m tests.sniff.declarations [--right 100000] [--pages 20]

"right" counts right declarations that are overruled, over texts of 1 to 4,000 characters, and lists some. "inserted"
counts pages whose encoding changes when bytes are inserted, by declaration, by the size of the page, by the number of
bytes; the pages are those of tests/sniff/test_attacks.py.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

import whatwg_encoding as we

from .damage import SENTENCES
from .test_attacks import ASCII, LANGUAGES, encoded, insertions

DECLARED = ("none", "header", "meta", "both")
SIZES = (200, 500, 1000, 2000, 4000)
INSERTED = (10, 40, 200)


def right(total: int) -> None:
    """Print how many of ``total`` right declarations are overruled, and some of the texts."""
    random = Random("right")
    names = [name for name in LANGUAGES if name not in ("UTF-8", "ISO-2022-JP")]
    wrong = []
    for _ in range(total):
        name = random.choice(names)
        encoding = we.lookup(name)
        text = " ".join(random.choices(SENTENCES[LANGUAGES[name]], k=20))
        text = "".join(character for character in text if b"&#" not in encoding.encode(character))
        start = random.randrange(len(text))
        data = encoding.encode(text[start : start + int(4000 ** random.random())])
        header = f"text/html; charset={name}" if random.random() < 0.5 else None
        page = data if header else f"<meta charset={name}>".encode() + data
        chosen = we.sniff.crawl(page, header).encoding
        if chosen.decode(page) != encoding.decode(page):
            wrong.append((name, chosen.name, encoding.decode(data)[:60]))
    print(f"{len(wrong)} of {total} right declarations are overruled")
    for row in wrong[:20]:
        print("   ", *row)


def inserted(pages: int) -> None:
    """Print the share of pages whose encoding changes, in percent, and the most dangerous change."""
    random = Random("inserted")
    for declared in DECLARED:
        for size in SIZES:
            row = []
            for most in INSERTED:
                changed, total, kinds = 0, 0, Counter[str]()
                for name in LANGUAGES:
                    for _ in range(pages):
                        before, after, header = attacked(random, name, declared, size, most)
                        chosen = we.sniff.crawl(after, header).encoding
                        total += 1
                        if chosen is not we.sniff.crawl(before, header).encoding and we.bom_sniff(after) is None:
                            changed += 1
                            kinds[
                                "UTF-16" if chosen.is_utf_16 else "ISO-2022-JP" if chosen is we.ISO_2022_JP else "other"
                            ] += 1
                row.append(f"{100 * changed / total:.1f} {dict(kinds)}")
            print(f"{declared:7}{size:6}  " + "  ".join(row))


def attacked(random: Random, name: str, declared: str, size: int, most: int) -> tuple[bytes, bytes, str | None]:
    """Return a page, the page with bytes inserted, and its header."""
    head = b"<!DOCTYPE html>"
    if declared in ("meta", "both"):
        head += f"<meta charset={name}>".encode()
    header = f"text/html; charset={name}" if declared in ("header", "both") else None
    text = encoded(name, size * 3 // 4) if random.random() < 0.5 else encoded(name, min(100, size // 4))
    page = head + b"<p>" + text + b"</p>"
    page += ASCII[: max(0, size - len(page))]
    candidates = [insertion for insertion in insertions(random) if b"charset" not in insertion]
    hostile = random.choice(candidates)[:most]
    at = len(head) + 3 if random.random() < 0.5 else len(page)
    return page, page[:at] + hostile + page[at:], header


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="how declarations hold")
    parser.add_argument("--right", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=20, help="of each encoding, for each figure")
    options = parser.parse_args()
    right(options.right)
    if options.pages:
        inserted(options.pages)
