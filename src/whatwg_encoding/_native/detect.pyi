from typing import TypeVar

from typing_extensions import Buffer

from whatwg_encoding._native.core import Encoding
from whatwg_encoding._native.prescan import Sniffed

_Guess = TypeVar("_Guess", bound=tuple[object, ...])

GUESS: object
PRIORS: dict[str, float]
ERROR_BITS: float

class Options:
    def __init__(
        self,
        limit: int,
        candidates: tuple[Encoding, ...] = (),
        excluded: tuple[Encoding, ...] = (),
        usual: tuple[Encoding, ...] = (),
        scope: int = 0,
        usual_page: Encoding | None = None,
    ) -> None: ...
    @property
    def limit(self) -> int: ...
    @property
    def candidates(self) -> tuple[Encoding, ...]: ...
    @property
    def excluded(self) -> tuple[Encoding, ...]: ...

def choose(
    data: Buffer,
    header: Encoding | None,
    options: Options,
    uses_page: bool = True,
    is_whole: bool = True,
    valid: int = ...,
) -> tuple[Sniffed, int]: ...
def guesses(data: Buffer, declared: tuple[Encoding, ...], options: Options, kind: type[_Guess]) -> list[_Guess]: ...
def costs(data: Buffer, encodings: tuple[Encoding, ...], limit: int = 16384) -> dict[Encoding, int]: ...
def is_utf_8(data: Buffer) -> bool: ...
def utf_8_counts(data: Buffer, ratio: int = 0) -> tuple[int, int]: ...
def text_cost(text: str) -> int: ...

_Way = tuple[tuple[str, str], ...]
_Gap = tuple[int, int, bytes, bool]

def mend(text: str, legacy: bool) -> tuple[str, list[_Way], list[_Gap], bool] | None: ...
