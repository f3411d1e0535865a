"""How the command line finds the encoding of an input: ``auto``, and the command ``sniff``.

The decision is that of ``sniff.crawl``, or with ``--as-browser`` and ``--as`` the one that the standards prescribe in a
context. Binary data has no encoding.
"""

from __future__ import annotations

import argparse

from ..files import quote
from .output import wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TypeVar

    from ..sniff import Sniffed, Steps

    Choice = TypeVar("Choice")

#: The encoding of an input that is to be found.
AUTO: Final = "auto"

# Kind → the name of the function in ``sniff`` that returns its steps.
_KINDS: Final = {
    "html": "html_steps",
    "xml": "xml_steps",
    "css": "css_steps",
    "script": "script_steps",
    "text": "text_document_steps",
}

#: The kind by default: what the text most likely is.
CRAWL: Final = "crawl"

#: The bytes of an input, from its start, on which ``sniff.crawl`` decides. They are kept in memory.
LOOKED_AT: Final = 1 << 24


def kind(name: str) -> str:
    """Return the name of a kind or a context; raise ArgumentTypeError for any other, with a suggestion."""
    if name == CRAWL or name in _KINDS:
        return name
    from ..contexts import CONTEXTS

    if name in CONTEXTS:
        return name
    import difflib

    near = difflib.get_close_matches(name[:64], [CRAWL, *_KINDS, *CONTEXTS], 1)
    suggestion = f"; did you mean {near[0]!r}?" if near else ""
    kinds = ", ".join([CRAWL, *_KINDS])
    raise argparse.ArgumentTypeError(f"{quote(name)} is neither one of {kinds} nor a context{suggestion}")


def _factory(kind: str) -> Callable[..., Steps] | None:
    """Return the factory of the steps of a kind or context; None for a context whose encoding is not determined."""
    if kind in _KINDS:
        from .. import sniff

        factory: Callable[..., Steps] = getattr(sniff, _KINDS[kind])
        return factory
    from ..contexts import CONTEXTS, DETERMINATIONS

    return DETERMINATIONS.get(CONTEXTS[kind].determination)


def _checked(choose: Callable[..., Choice], options: argparse.Namespace, **arguments: Any) -> Choice:
    """Call a function of ``sniff`` with the limits of the choice. End with an error if one of them is of no use."""
    try:
        return choose(**arguments, tld=options.tld, exclude=tuple(options.exclude), candidates=options.candidates)
    except ValueError as error:
        wrong_usage(options, f"--{error}")  # which begins with the argument's name


def steps(options: argparse.Namespace) -> Steps | None:
    """Return the steps of the kind of the files; None for those of ``sniff.crawl``. Check the hints."""
    from ..sniff import ENCODING_HINTS

    # A kind accepts the option of a hint if its steps have a hint of this name. Most commands have few of the options.
    names = ("content_type", "locale", *ENCODING_HINTS)
    hints: dict[str, Any] = {name: value for name in names if (value := getattr(options, name, None)) is not None}
    detects = options.detect or options.tld is not None or options.exclude or options.candidates
    if options.dos and options.kind not in (None, CRAWL):
        wrong_usage(options, "--dos cannot be combined with --as-browser or --as: web pages are in no such encoding")
    if options.kind in (None, CRAWL):
        for name in hints.keys() - {"content_type"}:
            wrong_usage(options, f"--{name} needs --as-browser or --as")
        decide_on_file(b"", options)
        return None
    factory = _factory(options.kind)
    if factory is None:
        wrong_usage(options, f"--as {options.kind}: nothing is sniffed there; the encoding is given or fixed")
    if detects:
        from ..sniff import crawl_detector  # imported here, as in the rest, since many runs don't need it

        hints["detector"] = _checked(crawl_detector, options)
    for name in hints:
        if name not in (factory.__kwdefaults__ or {}):
            option = {"detector": "detect"}.get(name, name.replace("_", "-"))
            wrong_usage(options, f"--as {options.kind} does not accept --{option}")
    return factory(**hints)


def decide_on_file(data: bytes, options: argparse.Namespace) -> Sniffed:
    """Return the decision for a file, of what it most likely is."""
    from ..sniff import crawl_file

    dos = getattr(options, "dos", False)
    return _checked(crawl_file, options, data=data, content_type=options.content_type, dos=dos)


def decide(head: bytes, options: argparse.Namespace) -> Sniffed:
    """Return the decision for an input that starts with ``head``, and has no more bytes if those are few."""
    from ..sniff import determine

    chosen = steps(options)
    return decide_on_file(head[:LOOKED_AT], options) if chosen is None else determine(head, chosen)


def binary_sign(data: bytes, options: argparse.Namespace) -> str | None:
    """Return by what data is known to be binary; None if it may be text, or if the options say that it is."""
    if options.text:
        return None
    from ..sniff import binary_sign

    return binary_sign(data)
