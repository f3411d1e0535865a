from collections.abc import Callable
from types import EllipsisType
from typing import Final, Literal, NamedTuple, TypeAlias

from typing_extensions import Buffer

from whatwg_encoding._native.core import Encoding

Confidence: TypeAlias = Literal["certain", "tentative", "irrelevant"]
Detector: TypeAlias = Callable[[bytes], Encoding | str | None]
BOM_POLICIES: dict[Literal["sniffing", "remove", "keep"], int]

class Sniffed(NamedTuple):
    encoding: Encoding
    confidence: Confidence
    source: str

class Scan: ...

class HTMLScan(Scan):
    def __init__(self, limit: int = 1024) -> None: ...

class XMLScan(Scan): ...
class CSSScan(Scan): ...

class MetaScan:
    start: Final[int]
    end: Final[int]
    def feed(self, data: Buffer) -> Encoding | None: ...

class Steps:
    def __init__(
        self,
        *,
        before: Sniffed | None = None,
        scan: Callable[[], Scan] | None = None,
        confidence: Confidence = "tentative",
        source: str = "",
        detector: Detector | None = None,
        after: Sniffed | None = None,
    ) -> None: ...
    before: Final[Sniffed | None]
    after: Final[Sniffed | None]

class Determination:
    def __init__(self, steps: Steps, bom: int = ...) -> None: ...
    bom_length: Final[int]
    span: Final[tuple[int, int] | None]
    detector_limit: Final[int]
    def look(self, data: Buffer, final: bool) -> Sniffed | None: ...
    def detected(self, data: bytes) -> Sniffed: ...

def first_known(*sources: Sniffed | tuple[Encoding | None, Confidence, str]) -> Sniffed | None: ...
def determine(data: Buffer, steps: Steps) -> Sniffed: ...
def prescan(data: Buffer, limit: int | None = 1024) -> Encoding | None: ...
def xml_declaration(data: Buffer) -> Encoding | None: ...
def declared_by_meta(encoding: Encoding) -> Encoding: ...
def header_encoding(value: str) -> Encoding | EllipsisType | None: ...
def meta_content(content: str) -> Encoding | None: ...
