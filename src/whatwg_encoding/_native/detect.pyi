from typing_extensions import Buffer

from whatwg_encoding._native.core import Encoding

GUESS: object
PRIORS: dict[str, float]
OTHER_PRIOR: int
DECLARED: int
DECLARED_WINDOWS_1252: int
DECLARED_FIRST: int

def text_cost(text: str) -> int: ...

class Candidates:
    def __init__(self, priors: tuple[tuple[Encoding, float], ...]) -> None: ...
    @property
    def encodings(self) -> tuple[Encoding, ...]: ...
    def costs(self, data: Buffer, limit: int) -> list[tuple[Encoding, int, str | None]]: ...
    def language(self, data: Buffer) -> str | None: ...
    def best(
        self, data: Buffer, limit: int, structures: int, against_utf_8: int, kept: Encoding | None, stays: bool
    ) -> tuple[Encoding | None, float]: ...
