"""Text in each of some languages, and the encodings that it is found in."""

from __future__ import annotations

from tests.sniff import damage

SENTENCES = {
    language.replace("_cn", "").replace("_", "-"): " ".join(sentences[:2]).replace("’", "'")  # which KOI8-U lacks
    for language, sentences in damage.SENTENCES.items()
}
ENCODINGS = [
    (language.replace("_cn", "").replace("_", "-"), encoding)
    for language, encodings in damage.LEGACY.items()
    for encoding in (*encodings, "UTF-8")
]
ENCODINGS += [("de", "macintosh"), ("ru", "IBM866"), ("ru", "x-mac-cyrillic")]
