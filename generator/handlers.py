"""The handlers of the standard: one entry per encoding, with everything that its template and its tables depend on.

An encoding under the standard's heading of single-byte encodings needs no entry of its own: it uses the single-byte
handler with the index of the same name. Tables, bytes and code points come from running the standard's
algorithms (`tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from types import MappingProxyType

from generator.model import RANGES, SINGLE_BYTE_HEADING, Encoding, Snapshot
from generator.steps import StepNumbers
from generator.tables import Mappings, Table, constants
from generator.tables import encodings as tables
from generator.tables.mappings import of_encoding

#: The module for the encodings of each heading of encodings.json: one per chapter.
CHAPTERS: Mapping[str, str] = MappingProxyType(
    {
        "The Encoding": "unicode",
        SINGLE_BYTE_HEADING: "single_byte",
        "Legacy multi-byte Chinese (simplified) encodings": "chinese_simplified",
        "Legacy multi-byte Chinese (traditional) encodings": "chinese_traditional",
        "Legacy multi-byte Japanese encodings": "japanese",
        "Legacy multi-byte Korean encodings": "korean",
        "Legacy miscellaneous encodings": "miscellaneous",
    }
)


@dataclass(frozen=True)
class Handler:
    """How one encoding is decoded and encoded."""

    template: str
    """The file under ``templates/_handlers``, without its suffixes."""
    decoder: StepNumbers
    """The steps of its decoder; `step_names.resolved` has their numbers."""
    encoder: StepNumbers | None = None
    """The steps of its encoder, None if it has none."""
    operations: Mapping[str, StepNumbers] = field(default_factory=dict)
    """The steps of the operations of chapter 5 that its template transcribes."""
    indexes: tuple[str, ...] = ()
    """The indexes that it uses, by their names in indexes.json."""
    tables: Callable[[Snapshot], list[Table]] = lambda snapshot: []
    """The function that builds its tables."""
    data: Callable[[Snapshot], Mapping[str, object]] = lambda snapshot: {}
    """What its template needs of the data and the algorithms besides tables."""
    decoder_symbol: str = ""
    """Prefix of the decoder's emitted functions, which encodings may share; if empty, the encoding's own symbol."""
    encoder_symbol: str = ""
    """Prefix of the encoder's emitted functions, which encodings may share; if empty, the encoding's own symbol."""
    surrogate: str = ""
    """The function of src/native/engine/error_policy.h that reads a surrogate with Python's "surrogatepass", if any."""
    encoder_property: str = ""
    """What distinguishes the encoder for its loop (src/native/engine/encode_loop.h), if anything does."""
    decode_shift: int = 0
    """``n`` bytes decode to at most ``n / 2**decode_shift`` code points, rounded up."""
    encode_capacity: tuple[int, int, int] = (2, 2, 2)
    """Upper bounds on the bytes per code point of a string of kind 1, 2 and 4."""
    is_ascii_compatible: bool = True
    """ASCII bytes decode to ASCII code points and vice versa in every state."""
    is_single_byte: bool = False

    @property
    def takes_an_index(self) -> bool:
        """Whether it is the handler that all single-byte encodings share, each with its own index."""
        return self.is_single_byte and bool(self.indexes)

    @property
    def has_encoder(self) -> bool:
        return self.encoder is not None


HANDLERS: dict[str, Handler] = {}
"""The handlers by the names of their encodings, but those of single-byte encodings with an index of the same name."""

# -- Single-byte encodings ---------------------------------------------------------------------------------------------


@cache
def single_byte(index: str) -> Handler:
    """Return the handler of a single-byte encoding: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings."""
    return Handler(
        template="single_byte",
        decoder=StepNumbers("single-byte-decoder"),
        encoder=StepNumbers("single-byte-encoder"),
        indexes=(index,),
        tables=partial(tables.single_byte, name=index),
        data=partial(constants.single_byte, index=index),
        decoder_symbol="single_byte",
        encoder_symbol="single_byte",
        encode_capacity=(1, 1, 1),
        is_single_byte=True,
    )


# It differs from ISO-8859-8 only in the direction of its text. https://encoding.spec.whatwg.org/#index-single-byte
HANDLERS["ISO-8859-8-I"] = single_byte("iso-8859-8")

HANDLERS["x-user-defined"] = replace(
    single_byte("x-user-defined"),
    decoder=StepNumbers("x-user-defined-decoder"),
    encoder=StepNumbers("x-user-defined-encoder"),
    indexes=(),
    tables=tables.x_user_defined,
    decoder_symbol="",
    encoder_symbol="",
)

# -- Encodings of one and two bytes ------------------------------------------------------------------------------------


def double_byte(name: str, index: str, meaning: str, like: str = "euc-kr") -> Handler:
    """Return the handler of an encoding of one and two bytes.

    `meaning` says what its decoder's table has; `like` is the encoding whose steps have the names that its own have.
    """
    anchor = name.lower()
    return Handler(
        template="double_byte",
        decoder=StepNumbers(f"{anchor}-decoder", f"{like}-decoder"),
        encoder=StepNumbers(f"{anchor}-encoder", f"{like}-encoder"),
        indexes=(index,),
        tables=partial(tables.double_byte, name=name, meaning=meaning),
        data=partial(constants.double_byte, name=name),
    )


HANDLERS["Big5"] = double_byte("Big5", "big5", "index Big5")

HANDLERS["EUC-KR"] = double_byte("EUC-KR", "euc-kr", "index EUC-KR")

HANDLERS["Shift_JIS"] = double_byte("Shift_JIS", "jis0208", "index jis0208 and EUDC")

HANDLERS["EUC-JP"] = Handler(
    template="euc_jp",
    decoder=StepNumbers("euc-jp-decoder"),
    encoder=StepNumbers("euc-jp-encoder"),
    indexes=("jis0208", "jis0212"),
    tables=tables.euc_jp,
    data=partial(constants.double_byte, name="EUC-JP"),
)

# -- gb18030 and GBK ---------------------------------------------------------------------------------------------------

HANDLERS["gb18030"] = Handler(
    template="gb18030",
    decoder=StepNumbers("gb18030-decoder"),
    encoder=StepNumbers("gb18030-encoder"),
    operations={
        "code_point": StepNumbers("index-gb18030-ranges-code-point"),
        "pointer": StepNumbers("index-gb18030-ranges-pointer"),
    },
    indexes=("gb18030", RANGES),
    tables=tables.gb18030,
    data=constants.gb18030,
    encode_capacity=(4, 4, 4),
)

#: GBK's decoder is gb18030's; its encoder is gb18030's with "is GBK" set to true. https://encoding.spec.whatwg.org/#gbk
HANDLERS["GBK"] = replace(
    HANDLERS["gb18030"],
    data=lambda snapshot: {**constants.gb18030(snapshot), "is_gbk": True},
    decoder_symbol="gb18030",
    encode_capacity=(2, 2, 2),
)

# -- ISO-2022-JP -------------------------------------------------------------------------------------------------------

HANDLERS["ISO-2022-JP"] = Handler(
    template="iso_2022_jp",
    decoder=StepNumbers("iso-2022-jp-decoder"),
    encoder=StepNumbers("iso-2022-jp-encoder"),
    indexes=("jis0208", "iso-2022-jp-katakana"),
    tables=tables.iso_2022_jp,
    data=constants.iso_2022_jp,
    encoder_property="WE_FLUSHES",
    # An escape sequence and a byte pair.
    encode_capacity=(5, 5, 5),
    is_ascii_compatible=False,
)

# -- UTF-8, UTF-16BE/LE and replacement --------------------------------------------------------------------------------

HANDLERS["UTF-8"] = Handler(
    template="utf_8",
    decoder=StepNumbers("utf-8-decoder"),
    encoder=StepNumbers("utf-8-encoder"),
    surrogate="we_utf_8_surrogate",
    encoder_property="WE_PASSES_SURROGATES",
    encode_capacity=(2, 3, 4),
)

HANDLERS["UTF-16BE"] = Handler(
    template="utf_16",
    decoder=StepNumbers("shared-utf-16-decoder"),
    data=lambda snapshot: {"is_utf_16be_decoder": True},
    surrogate="we_utf_16be_surrogate",
    decode_shift=1,
    is_ascii_compatible=False,
)

HANDLERS["UTF-16LE"] = replace(
    HANDLERS["UTF-16BE"],
    data=lambda snapshot: {"is_utf_16be_decoder": False},
    surrogate="we_utf_16le_surrogate",
)

HANDLERS["replacement"] = Handler(
    template="replacement",
    decoder=StepNumbers("replacement-decoder"),
    # One U+FFFD for the whole input.
    decode_shift=12,
    is_ascii_compatible=False,
)

# -- By name -----------------------------------------------------------------------------------------------------------


def handler(name: str, heading: str) -> Handler | None:
    """Return the handler of the encoding `name` under `heading`, None if there is none."""
    if name in HANDLERS:
        return HANDLERS[name]
    if heading == SINGLE_BYTE_HEADING:
        return single_byte(name.lower())
    return None


def mappings(snapshot: Snapshot, encoding: Encoding) -> Mappings | None:
    """Return the mappings of an encoding of a snapshot, None if it has no handler, algorithm or index there."""
    record = handler(encoding.name, encoding.heading)
    if record is None or any(index not in snapshot.indexes for index in record.indexes if index != RANGES):
        return None
    if (encoding.heading == SINGLE_BYTE_HEADING) != record.takes_an_index:
        return None
    return of_encoding(snapshot, encoding, record.indexes[0] if encoding.heading == SINGLE_BYTE_HEADING else "")
