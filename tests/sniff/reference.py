"""The sniffing algorithms for bytes, transcribed step by step: slow, obvious, and independent of the package.

They work on the whole input by position, while the package processes bytes as they arrive. ``lookup`` stands for "get
an encoding": a function from a label to a name, or None.
"""

from __future__ import annotations

from collections.abc import Callable

Lookup = Callable[[str], str | None]

WHITESPACE = b"\t\n\f\r "
LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class OutOfData(Exception):
    """Raised on an attempt to read at or beyond the end of the window."""


class Window:
    """The window of bytes, and a position in it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def byte(self, offset: int = 0) -> int:
        if self.position + offset >= len(self.data):
            raise OutOfData
        return self.data[self.position + offset]

    def starts(self, text: bytes) -> bool:
        """Compare ASCII case-insensitively. A window that ends too early does not match, which is equivalent."""
        return self.data[self.position : self.position + len(text)].lower() == text


def lower(byte: int) -> str:
    """Return the code point of a byte, lowercased if the byte is an ASCII upper alpha."""
    return chr(byte + 0x20 if 0x41 <= byte <= 0x5A else byte)


def get_an_attribute(window: Window) -> tuple[str, str] | None:
    """https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing"""
    # 1. While the byte is ASCII whitespace or "/": advance.
    while window.byte() in WHITESPACE + b"/":
        window.position += 1
    # 2. If it is ">": there is no attribute.
    if window.byte() == ord(">"):
        return None
    # 3. Otherwise: name and value are empty.
    name = value = ""
    # 4. Process the byte at position.
    while True:
        byte = window.byte()
        if byte == ord("=") and name:
            window.position += 1
            break
        if byte in WHITESPACE:
            # 6. Spaces
            while window.byte() in WHITESPACE:
                window.position += 1
            # 7. If the byte is not "=": abort, the value is empty.
            if window.byte() != ord("="):
                return name, ""
            # 8. Advance past the "=".
            window.position += 1
            break
        if byte in b"/>":
            return name, ""
        name += lower(byte)
        # 5. Advance.
        window.position += 1
    # 9. Value
    while window.byte() in WHITESPACE:
        window.position += 1
    # 10. Process the byte at position.
    byte = window.byte()
    if byte in b"\"'":
        quote = byte
        while True:
            window.position += 1
            if window.byte() == quote:
                window.position += 1
                return name, value
            value += lower(window.byte())
    if byte == ord(">"):
        return name, ""
    value += lower(byte)
    window.position += 1
    # 11. Process the byte at position.
    while window.byte() not in WHITESPACE + b">":
        value += lower(window.byte())
        window.position += 1
    return name, value


def extract_from_meta(text: str, lookup: Lookup) -> str | None:
    """https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element"""
    whitespace = "\t\n\f\r "
    folded = "".join(chr(ord(c) + 0x20) if "A" <= c <= "Z" else c for c in text)
    # 1. position
    position = 0
    while True:
        # 2. Loop: the first "charset" after position.
        start = folded.find("charset", position)
        if start < 0:
            return None
        position = start + 7
        # 3. Skip whitespace.
        while position < len(text) and text[position] in whitespace:
            position += 1
        # 4. If the next character is not "=": loop.
        if position < len(text) and text[position] == "=":
            break
    position += 1
    # 5. Skip whitespace.
    while position < len(text) and text[position] in whitespace:
        position += 1
    # 6. Process the next character.
    if position == len(text):
        return None
    if text[position] in "\"'":
        end = text.find(text[position], position + 1)
        return None if end < 0 else lookup(text[position + 1 : end])
    end = position
    while end < len(text) and text[end] not in whitespace + ";":
        end += 1
    return lookup(text[position:end])


def prescan(data: bytes, lookup: Lookup, limit: int | None = 1024) -> str | None:
    """https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding"""
    data = data[:limit]
    # 1. fallback encoding: null. 2. position
    window = Window(data)
    # 3. A sequence of bytes starting with a UTF-16 XML declaration.
    if data.startswith(b"<\x00?\x00x\x00"):
        return "UTF-16LE"
    if data.startswith(b"\x00<\x00?\x00x"):
        return "UTF-16BE"
    try:
        # 4. Loop
        while True:
            encoding = prescan_one(window, lookup)
            if encoding is not None:
                return encoding
            # 5. Next byte
            window.position += 1
    except OutOfData:
        return xml_encoding(data, lookup)


def prescan_one(window: Window, lookup: Lookup) -> str | None:
    window.byte()
    if window.starts(b"<!--"):
        # Skip to the first ">" after the "<" that is preceded by two "-", which may be those of "<!--".
        while not (window.byte() == ord(">") and window.data[window.position - 2 : window.position] == b"--"):
            window.position += 1
        return None
    if window.starts(b"<meta") and window.byte(5) in WHITESPACE + b"/":
        window.position += 5
        return process_meta(window, lookup)
    if window.byte() == ord("<") and (
        window.byte(1) in LETTERS or (window.byte(1) == ord("/") and window.byte(2) in LETTERS)
    ):
        while window.byte() not in WHITESPACE + b">":
            window.position += 1
        while get_an_attribute(window) is not None:
            pass
        return None
    if window.starts(b"<!") or window.starts(b"</") or window.starts(b"<?"):
        while window.byte() != ord(">"):
            window.position += 1
    return None


FAILURE = object()


def process_meta(window: Window, lookup: Lookup) -> str | None:
    # 2. attribute list, 3. got pragma, 4. need pragma, 5. charset
    attribute_list: list[str] = []
    got_pragma = False
    need_pragma: bool | None = None
    charset: object = None
    # 6. Attributes
    while True:
        attribute = get_an_attribute(window)
        if attribute is None:
            break
        name, value = attribute
        # 7. If the name is already in the list: go to the step labeled attributes.
        if name in attribute_list:
            continue
        # 8. Add it.
        attribute_list.append(name)
        # 9. Run the step for the name.
        if name == "http-equiv":
            if value == "content-type":
                got_pragma = True
        elif name == "content":
            encoding = extract_from_meta(value, lookup)
            if encoding is not None and charset is None:
                charset = encoding
                need_pragma = True
        elif name == "charset":
            charset = lookup(value) or FAILURE
            need_pragma = False
    # 11. to 13.
    if need_pragma is None or (need_pragma and not got_pragma) or charset is FAILURE:
        return None
    # 14. and 15.
    if charset in ("UTF-16BE", "UTF-16LE"):
        charset = "UTF-8"
    if charset == "x-user-defined":
        charset = "windows-1252"
    assert isinstance(charset, str)
    return charset


def xml_encoding(data: bytes, lookup: Lookup) -> str | None:
    """https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing"""
    if not data.startswith(b"<?xml"):
        return None
    declaration_end = data.find(b">")
    if declaration_end < 0:
        return None
    # The standard sets this end and does not refer to it: WebKit, Gecko and Servo look for "encoding" before it.
    position = data.find(b"encoding", 0, declaration_end)
    if position < 0:
        return None
    position += 8
    while position < len(data) and data[position] <= 0x20:
        position += 1
    if data[position : position + 1] != b"=":
        return None
    position += 1
    while position < len(data) and data[position] <= 0x20:
        position += 1
    quote = data[position : position + 1]
    if quote not in (b'"', b"'"):
        return None
    position += 1
    end = data.find(quote, position)
    if end < 0:
        return None
    label = data[position:end]
    if any(byte <= 0x20 for byte in label):
        return None
    encoding = lookup(label.decode("latin-1"))
    return "UTF-8" if encoding in ("UTF-16BE", "UTF-16LE") else encoding


def css_charset(data: bytes, lookup: Lookup) -> str | None:
    """https://drafts.csswg.org/css-syntax-3/#determine-the-fallback-encoding"""
    data = data[:1024]
    prefix = bytes.fromhex("40 63 68 61 72 73 65 74 20 22")
    if not data.startswith(prefix):
        return None
    position = len(prefix)
    while position < len(data) and data[position] != 0x22 and data[position] <= 0x7F:
        position += 1
    if data[position : position + 2] != b'";':
        return None
    encoding = lookup(data[len(prefix) : position].decode("ascii"))
    return "UTF-8" if encoding in ("UTF-16BE", "UTF-16LE") else encoding


HTTP_WHITESPACE = "\t\n\r "
TOKEN = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Text:
    """A string and a position in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    @property
    def past_the_end(self) -> bool:
        return self.position >= len(self.text)

    @property
    def code_point(self) -> str:
        return self.text[self.position]

    def collect(self, condition: Callable[[str], bool]) -> str:
        """https://infra.spec.whatwg.org/#collect-a-sequence-of-code-points"""
        result = ""
        while not self.past_the_end and condition(self.code_point):
            result += self.code_point
            self.position += 1
        return result


def collect_http_quoted_string(text: Text, extract_value: bool) -> str:
    """https://fetch.spec.whatwg.org/#collect-an-http-quoted-string"""
    position_start = text.position
    value = ""
    assert text.code_point == '"'
    text.position += 1
    while True:
        value += text.collect(lambda c: c not in '"\\')
        if text.past_the_end:
            break
        quote_or_backslash = text.code_point
        text.position += 1
        if quote_or_backslash == "\\":
            if text.past_the_end:
                value += "\\"
                break
            value += text.code_point
            text.position += 1
        else:
            break
    return value if extract_value else text.text[position_start : text.position]


def parse_mime_type(source: str) -> tuple[str, str, dict[str, str]] | None:
    """https://mimesniff.spec.whatwg.org/#parse-a-mime-type"""

    def ascii_lower(string: str) -> str:
        return "".join(chr(ord(c) + 0x20) if "A" <= c <= "Z" else c for c in string)

    def is_token(string: str) -> bool:
        return bool(string) and all(c in TOKEN for c in string)

    text = Text(source.strip(HTTP_WHITESPACE))
    kind = text.collect(lambda c: c != "/")
    if not is_token(kind) or text.past_the_end:
        return None
    text.position += 1
    subtype = text.collect(lambda c: c != ";").rstrip(HTTP_WHITESPACE)
    if not is_token(subtype):
        return None
    parameters: dict[str, str] = {}
    while not text.past_the_end:
        text.position += 1
        text.collect(lambda c: c in HTTP_WHITESPACE)
        name = ascii_lower(text.collect(lambda c: c not in ";="))
        if not text.past_the_end:
            if text.code_point == ";":
                continue
            text.position += 1
        if text.past_the_end:
            break
        if text.code_point == '"':
            value = collect_http_quoted_string(text, True)
            text.collect(lambda c: c != ";")
        else:
            value = text.collect(lambda c: c != ";").rstrip(HTTP_WHITESPACE)
            if not value:
                continue
        if (
            is_token(name)
            and all(c == "\t" or "\x20" <= c <= "\x7e" or "\x80" <= c <= "\xff" for c in value)
            and name not in parameters
        ):
            parameters[name] = value
    return ascii_lower(kind), ascii_lower(subtype), parameters


def get_decode_and_split(value: str) -> list[str]:
    """https://fetch.spec.whatwg.org/#header-value-get-decode-and-split"""
    text = Text(value)
    values: list[str] = []
    temporary = ""
    while True:
        temporary += text.collect(lambda c: c not in '",')
        if not text.past_the_end and text.code_point == '"':
            temporary += collect_http_quoted_string(text, False)
            if not text.past_the_end:
                continue
        values.append(temporary.strip("\t "))
        temporary = ""
        if text.past_the_end:
            return values
        assert text.code_point == ","
        text.position += 1
