"""Print a digest of every pair of bytes, decoded and encoded again, in all encodings: the same on every machine."""

from __future__ import annotations

import hashlib

import whatwg_encoding as we


def main() -> None:
    whole = hashlib.sha256()
    for encoding in we.ENCODINGS.values():
        for leading in range(256):
            text = encoding.decode(bytes(byte for trailing in range(256) for byte in (leading, trailing, 10)))
            whole.update(text.encode())
            if encoding.has_encoder:
                whole.update(encoding.encode(text))
    sniffed = we.sniff.crawl("Привет, мир".encode("koi8-r")), we.mime.parse("text/html; charset=sjis")
    whole.update(f"{sniffed}{we.decode_html(b'<meta charset=euc-kr>').encoding}".encode())
    print(whole.hexdigest())


if __name__ == "__main__":
    main()
