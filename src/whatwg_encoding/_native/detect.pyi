from typing_extensions import Buffer

from whatwg_encoding import Decoded
from whatwg_encoding._native.core import Encoding
from whatwg_encoding._native.prescan import Sniffed

GUESS: object
PRIORS: dict[str, float]
OTHER_PRIOR: int
DECLARED: int
DECLARED_WINDOWS_1252: int
DECLARED_FIRST: int

class Options:
    def __init__(
        self,
        limit: int,
        candidates: tuple[Encoding, ...] = (),
        excluded: tuple[Encoding, ...] = (),
        usual: tuple[Encoding, ...] = (),
    ) -> None: ...
    @property
    def limit(self) -> int: ...
    @property
    def candidates(self) -> tuple[Encoding, ...]: ...
    @property
    def excluded(self) -> tuple[Encoding, ...]: ...

def choose(
    data: Buffer, header: Encoding | None, options: Options, uses_page: bool = True, is_whole: bool = True
) -> tuple[Sniffed, int]: ...
def decode(data: bytes | memoryview, header: Encoding | None, options: Options) -> Decoded: ...
def guesses(
    data: Buffer, declared: tuple[Encoding, ...], options: Options
) -> list[tuple[Encoding, int, str | None]]: ...
def costs(data: Buffer, encodings: tuple[Encoding, ...], limit: int = 16384) -> dict[Encoding, int]: ...
def is_utf_8(data: Buffer) -> bool: ...
def utf_8_counts(data: Buffer, ratio: int = 0) -> tuple[int, int]: ...
def text_cost(text: str) -> int: ...
