"""The names of the package for type checkers, which do not see what is loaded on first use."""
# ruff: noqa: F403

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
from ._api.results import *
from ._api.text import *
from ._codecs import register_codecs as register_codecs
from ._codecs import unregister_codecs as unregister_codecs
from ._decoding.by_line import *
from ._decoding.files import *
from ._decoding.together import *
from ._editing.byte_exact import *
from ._labels import *
from ._native.core import Decoder as Decoder
from ._native.core import Encoder as Encoder
from ._native.core import EncoderUnavailableError as EncoderUnavailableError
from ._native.core import Encoding as Encoding
from ._native.core import UnknownLabelError as UnknownLabelError
from ._native.core import cpu_features as cpu_features
from ._native.core import decode as decode
from ._native.core import decode_many as decode_many
from ._native.core import recode as recode
from ._sniff.declarations import *
from ._sniff.guessing import *
from ._text.mojibake import *
from .contexts import *
from .names import lookup_codec as lookup_codec
from .standard import *

__version__: str

def get_include() -> str: ...
