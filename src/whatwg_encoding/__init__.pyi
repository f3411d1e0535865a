"""The names of the package for type checkers, which do not see what is loaded on first use."""

from . import arrow as arrow
from . import chardet as chardet
from . import charset_normalizer as charset_normalizer
from . import code_pages as code_pages
from . import contexts as contexts
from . import editing as editing
from . import files as files
from . import mail as mail
from . import malformed as malformed
from . import mcp as mcp
from . import mime as mime
from . import names as names
from . import sniff as sniff
from . import standard as standard
from . import urls as urls
from . import w3lib as w3lib
from . import webencodings as webencodings
from ._api.results import Decoded as Decoded
from ._api.results import DecodedUTF8 as DecodedUTF8
from ._api.results import MalformedAt as MalformedAt
from ._api.text import TextDecoder as TextDecoder
from ._api.text import TextDecoderStream as TextDecoderStream
from ._api.text import TextEncoder as TextEncoder
from ._api.text import TextEncoderStream as TextEncoderStream
from ._codecs import register_codecs as register_codecs
from ._codecs import unregister_codecs as unregister_codecs
from ._decoding.by_line import LineDecoder as LineDecoder
from ._decoding.by_line import decode_by_line as decode_by_line
from ._decoding.files import open_utf8 as open_utf8
from ._decoding.together import DecodedTogether as DecodedTogether
from ._decoding.together import decode_together as decode_together
from ._editing.byte_exact import ByteExactText as ByteExactText
from ._editing.byte_exact import EditRefusedError as EditRefusedError
from ._editing.byte_exact import reencode as reencode
from ._labels import *  # noqa: F403
from ._native.core import Decoder as Decoder
from ._native.core import Encoder as Encoder
from ._native.core import EncoderUnavailableError as EncoderUnavailableError
from ._native.core import Encoding as Encoding
from ._native.core import UnknownLabelError as UnknownLabelError
from ._native.core import cpu_features as cpu_features
from ._native.core import decode as decode
from ._native.core import decode_many as decode_many
from ._native.core import recode as recode
from ._sniff.declarations import ContentTypeWarning as ContentTypeWarning
from ._sniff.guessing import decode_crawled as decode_crawled
from ._sniff.guessing import decode_crawled_to_utf8 as decode_crawled_to_utf8
from ._text.mojibake import Repaired as Repaired
from ._text.mojibake import repair as repair
from ._text.mojibake import repair_many as repair_many
from .contexts import *  # noqa: F403
from .names import lookup_codec as lookup_codec
from .standard import *  # noqa: F403

__version__: str

def get_include() -> str: ...
