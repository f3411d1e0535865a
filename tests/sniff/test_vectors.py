"""Test cases of html5lib and manakai's tests-web, and the standard's locale table. See data/README.md."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import whatwg_encoding as we
from whatwg_encoding import sniff

from .support import byte_by_byte, determined, vectors

HTML5LIB = vectors("html5lib")["cases"]
TESTS_WEB = [
    {**case, "id": f"wakaba/{context}#{number}", "context": context, "expected": expected}
    for case in vectors("tests-web")["cases"]
    for context, (number, *expected) in case["results"].items()
]
LOCALE = vectors("locale")


def data_of(case: dict[str, Any]) -> bytes:
    return bytes(case["input"], "latin-1")


def in_scope(scope: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in HTML5LIB if case["scope"] == scope]


def test_all_cases_are_accounted_for() -> None:
    """One case of html5lib is out of scope: a script writes the meta element, and scripts are not run here."""
    scopes = [case["scope"] for case in HTML5LIB]
    assert {scope: scopes.count(scope) for scope in scopes} == {"prescan": 75, "late_meta": 7, "scripted": 1}
    assert [case["id"] for case in HTML5LIB if case["scope"] == "scripted"] == ["scripted/tests1.dat#0"]
    assert len(TESTS_WEB) == 271
    assert sum("detector" in case for case in TESTS_WEB) == 3


@pytest.mark.parametrize("case", in_scope("prescan"))
def test_html5lib(case: dict[str, Any]) -> None:
    assert determined("html-parser", data_of(case))[0] == case["expected"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in HTML5LIB])
def test_html5lib_prescan(case: dict[str, Any]) -> None:
    for limit, expected in ((1024, case["prescan"]), (None, case["prescan_unlimited"])):
        encoding = sniff.prescan(data_of(case), limit)
        assert (encoding.name if encoding else None) == expected


@pytest.mark.parametrize("split", [False, True], ids=["whole", "bytes"])
@pytest.mark.parametrize("case", in_scope("late_meta"))
def test_html5lib_late_meta(case: dict[str, Any], split: bool) -> None:
    """The meta is outside the window: the prescan misses it, and a stream reports it."""
    data = data_of(case)
    stream = we.decode_stream("html-parser", byte_by_byte(data) if split else [data])
    list(stream)
    assert stream.source == "locale"
    assert stream.late_meta is not None
    assert stream.late_meta.encoding.name == case["expected"]
    tag = data[stream.late_meta.start : stream.late_meta.end]
    assert tag.startswith(b"<meta")
    assert tag.endswith(b">")


def transport(case: dict[str, Any], essence: str) -> str | None:
    return f"{essence};charset={case['transport']}" if "transport" in case else None


# The cases' terms for what decided → the package's. "html" and "xml" are two results of the prescan.
SOURCES = {
    "html": {"html": "prescan", "xml": "prescan", "override": "user-override", "embed": "parent"}
    | {"univchardet": "detector"},
    "responsehtml": {"html": "prescan", "xml": "prescan", "override": "final-encoding", "transport": "final-encoding"},
    "xml": {},
    "css": {"reference": "environment", "embed": "environment"},
}


def determine_case(case: dict[str, Any]) -> tuple[str, str, str]:
    data, override = data_of(case), case.get("override")
    match case["context"]:
        case "html":
            # Two of the three are Japanese and too short to be detected without a hint.
            detector = partial(sniff.chardetng, tld="jp") if "detector" in case else None
            return determined("html-parser", data, override=override, content_type=transport(case, "text/html"),
                              parent=case.get("embed"), locale=case.get("locale"), detector=detector)  # fmt: skip
        case "responsehtml":
            content_type = transport(case, "text/html") or "text/html"
            override_mime = override and f"text/html;charset={override}"
            return determined("xhr-document-html", data, content_type=content_type, override_mime=override_mime)
        case "xml":
            return determined("xml-parser", data, override=override, content_type=transport(case, "text/xml"))
        case "css":
            environment, content_type = case.get("reference") or case.get("embed"), transport(case, "text/css")
            return determined("css-from-document", data, content_type=content_type, environment=environment)
        case context:
            raise AssertionError(context)


def web_cases() -> list[Any]:
    # CF AF EE is malformed UTF-8, which the original's more lenient detector accepts and chardetng does not.
    malformed = pytest.mark.xfail(reason="the input is malformed UTF-8, which chardetng takes for windows-1251")
    marks = {"wakaba/html#68": malformed}
    return [pytest.param(case, id=case["id"], marks=marks.get(case["id"], ())) for case in TESTS_WEB]


@pytest.mark.parametrize("case", web_cases())
def test_tests_web(case: dict[str, Any]) -> None:
    name, confidence, source = case["expected"]
    assert determine_case(case) == (name, confidence, SOURCES[case["context"]].get(source, source))


@pytest.mark.parametrize("name", LOCALE["table"])
def test_locale_table(name: str) -> None:
    for tag in LOCALE["table"][name].split():
        assert sniff.locale_default(tag).name == name
        assert determined("html-parser", b"<p>", locale=tag) == (name, "tentative", "locale")


@pytest.mark.parametrize("row", LOCALE["lookups"], ids=lambda row: str(row["tag"]))
def test_locale_lookup(row: dict[str, str | None]) -> None:
    assert sniff.locale_default(row["tag"]).name == row["expected"]
