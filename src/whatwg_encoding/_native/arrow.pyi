from collections.abc import Callable
from typing import NoReturn, final

from whatwg_encoding._native.core import Encoding
from whatwg_encoding.arrow import ArrowColumn, Unknown
from whatwg_encoding.sniff import Sniffed

class RowDecodeError(UnicodeDecodeError):
    row: int
    offset: int
    line: int
    column: int

class RowEncodeError(UnicodeEncodeError):
    row: int

@final
class Column:
    def __len__(self) -> int: ...
    def __iter__(self) -> NoReturn: ...
    @property
    def num_chunks(self) -> int: ...
    @property
    def null_count(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def is_column(value: object) -> bool: ...
def convert(
    values: ArrowColumn,
    encoding: Encoding | str | ArrowColumn,
    *,
    encodes: bool,
    errors: str,
    bom: str,
    unknown: Unknown,
    type: str | None,
    with_info: bool,
    limit: int = ...,
) -> Column: ...
def sniff(
    bodies: ArrowColumn,
    content_types: ArrowColumn | str | None,
    tlds: ArrowColumn | str | None,
    rule: Callable[[bytes | memoryview, str | None, str | None], Sniffed],
) -> Column: ...
