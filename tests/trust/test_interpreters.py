"""Several interpreters in one process: legacy ones (which share the GIL) work, isolated ones get an ImportError.

Each test is a program of its own, since a failure may crash the process.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.programs import ROOT, python, run

# Without a GIL the modules are imported by one interpreter: see build/extensions.py.
shares_gil = pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="free-threaded builds have no shared GIL"
)

#: What creates interpreters, in each version of CPython.
START = f"""
import sys
try:
    import _interpreters as api
except ImportError:
    import _xxsubinterpreters as api

PATH = {[str(ROOT), *sys.path]!r}


def create(isolated=False):
    if sys.version_info < (3, 12):
        interpreter = api.create()
    elif sys.version_info < (3, 13):
        interpreter = api.create(isolated=isolated)
    else:
        interpreter = api.create("isolated" if isolated else "legacy")
    run(interpreter, f"import sys; sys.path[:] = {{PATH!r}}")
    return interpreter


def run(interpreter, code):
    problem = api.run_string(interpreter, code)
    assert problem is None, problem.errdisplay


sys.path[:] = PATH
"""

#: Every module at work, in whichever interpreter runs it. Texts are those of CPython's codecs.
WORK = '''
import codecs, copy, ctypes, io, pickle, struct
import whatwg_encoding as we
from whatwg_encoding import arrow, contexts, mime, sniff, urls, w3lib, webencodings
from whatwg_encoding._native import core

TEXT = "日本語のテキスト、漢字かな交じり。"
SJIS = TEXT.encode("cp932")


def work():
    assert we.lookup("sjis") is we.SHIFT_JIS is we.ENCODINGS["Shift_JIS"] is we.LABELS["ms932"]
    assert we.SHIFT_JIS.decode(SJIS) == TEXT and we.SHIFT_JIS.encode(TEXT) == SJIS
    assert we.REPLACEMENT.output_encoding is we.UTF_8
    for encoding in we.ENCODINGS.values():
        assert encoding.new_decoder().decode(b"", True) == ""
        assert encoding.output_encoding.new_encoder().encode("a", True) == b"a"
        assert pickle.loads(pickle.dumps(encoding)) is encoding
    decoder = we.SHIFT_JIS.new_decoder()
    text = decoder.decode(SJIS[:7])
    assert text + pickle.loads(pickle.dumps(decoder)).decode(SJIS[7:], True) == TEXT
    assert text + copy.copy(decoder).decode(SJIS[7:], True) == TEXT
    for call, error in (
        (lambda: we.lookup("sjus"), we.UnknownLabelError),
        (lambda: we.UTF_16LE.encode("a"), we.EncoderUnavailableError),
        (lambda: we.SHIFT_JIS.decode(b"\\xff", "fatal"), UnicodeDecodeError),
        (lambda: we.SHIFT_JIS.encode("☃", "fatal"), UnicodeEncodeError),
        (lambda: we.SHIFT_JIS.encode("☃", "strict"), ValueError),
    ):
        try:
            call()
        except error as caught:
            assert type(caught) is error and str(caught)
        else:
            raise AssertionError(error)
    we.register_codecs()
    assert codecs.decode(SJIS, "web-sjis") == TEXT and "☃".encode("web-sjis", "replace") == b"?"
    assert io.TextIOWrapper(io.BytesIO(SJIS), "web-sjis").read() == TEXT
    codecs.register_error("web-test", lambda error: ("[]", error.end))
    assert "a☃".encode("web-sjis", "web-test") == b"a[]" and codecs.decode(b"\\xff", "web-sjis", "web-test") == "[]"
    we.unregister_codecs()
    html = b"<meta charset=sjis>" + SJIS
    assert we.decode_html(html).encoding is we.SHIFT_JIS and sniff.html(html).encoding is we.SHIFT_JIS
    assert sniff.html(b"\\xfe\\xff\\0a") == (we.UTF_16BE, "certain", "bom")
    assert sniff.html(b"<meta charset=utf-16>").encoding is we.UTF_8
    assert sniff.html(b"<meta charset=x-user-defined>").encoding is we.WINDOWS_1252
    assert sniff.xml(b"<\\0?\\0x\\0").encoding is we.UTF_16LE
    assert sniff.xml(b"<?xml version='1.0' encoding='euc-kr'?>").encoding is we.EUC_KR
    assert sniff.css(b'@charset "gbk";').encoding is we.GBK
    assert sniff.detect(SJIS * 9)[0].encoding is we.SHIFT_JIS
    assert we.decode(b"\\xef\\xbb\\xbf" + TEXT.encode(), fallback="sjis").text == TEXT
    assert we.recode(SJIS, "sjis", "euc-jp") == TEXT.encode("euc_jp")
    assert webencodings.lookup("sjis").name == "shift_jis"
    assert we.index_code_point("jis0208", we.index_pointer("jis0208", ord("本"))) == ord("本")
    assert list(columns().__arrow_c_array__())
    assert c_api(SJIS) == TEXT.encode()
    for immutable in (we.Encoding, core._Decoder, core._Encoder):
        try:
            immutable.name = None
        except TypeError:
            continue
        raise AssertionError(immutable)


def address(data):
    """Return the address of the content of a bytes object."""
    return id(data) + bytes.__basicsize__ - 1


def columns():
    """Decode a column of one row. Its memory is that of bytes objects, so its release does nothing.

    It is built without pointers of ctypes, whose types get mixed up between interpreters.
    """
    nothing = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    offsets, format = struct.pack("2i", 0, len(SJIS)), b"z"
    buffers = struct.pack("3Q", 0, address(offsets), address(SJIS))
    schema = struct.pack("9Q", address(format), address(b""), 0, 2, 0, 0, 0, nothing, 0)
    array = struct.pack("10Q", 1, 0, 0, 3, 0, address(buffers), 0, 0, nothing, 0)

    class Values:
        def __arrow_c_array__(self, requested_schema=None):
            capsules = (address(schema), b"arrow_schema"), (address(array), b"arrow_array")
            return tuple(new_capsule(where, name, None) for where, name in capsules)

    column = arrow.decode_array_with_info(Values(), "sjis")
    assert len(column) == 1
    return column


def c_api(data):
    """Return the text of Shift_JIS as UTF-8, by the C API's table."""
    from tests.capi import table

    encoding = table.API.for_label(b"sjis", 4)
    assert table.API.name(encoding) == b"Shift_JIS"
    return table.run_stream("sjis", 1, 0, [data[:7], data[7:]], iter([5] * 99), decodes=True).output


work()
'''


def run_program(program: str, *arguments: str) -> str:
    code = START + f"WORK = {WORK!r}\n" + program
    return run(sys.executable, "-X", "faulthandler", "-c", code, *arguments, timeout=300)


@shares_gil
@pytest.mark.parametrize("first", [True, False], ids=["imported before", "not imported before"])
def test_one_after_another(first: bool) -> None:
    run_program(f"""
if {first}:
    exec(WORK)
for _ in range(3):
    interpreter = create()
    run(interpreter, WORK)
    api.destroy(interpreter)
    if {first}:
        work()
exec(WORK)
""")


@pytest.mark.gate
@shares_gil
def test_at_the_same_time() -> None:
    """Alternate between the main interpreter and two others, as mod_wsgi does; destroy one while the others go on.

    The C API's table is one for all of them, so that it outlives the interpreter that a module has imported it in.
    """
    run_program("""
others = [create(), create()]
for other in others:
    run(other, WORK)
exec(WORK)
from tests.capi.table import api_address
for _ in range(3):
    for other in others:
        run(other, f"work(); from tests.capi.table import api_address; assert api_address() == {api_address()}")
        run(other, "DECODER = we.SHIFT_JIS.new_decoder(); assert DECODER.decode(SJIS[:7]) == TEXT[:3]")
    work()
    run(others[0], "assert DECODER.decode(SJIS[7:], True) == TEXT[3:]")
    third = create()
    run(third, WORK)
    api.destroy(others.pop(0))
    others.append(third)
    work()
    run(others[0], "assert DECODER.decode(SJIS[7:], True) == TEXT[3:]; work()")
""")


@shares_gil
def test_in_threads() -> None:
    """Run two interpreters in threads; long texts are converted without the GIL."""
    run_program("""
import threading
exec(WORK)
LONG = "long = SJIS * 9000\\nfor _ in range(3):\\n    assert we.SHIFT_JIS.decode(long) == TEXT * 9000\\n    work()"
others = [create(), create()]
failures = []


def target(other):
    try:
        run(other, WORK + LONG)
    except BaseException as error:
        failures.append(error)


threads = [threading.Thread(target=target, args=(other,)) for other in others]
for thread in threads:
    thread.start()
exec(LONG)
for thread in threads:
    thread.join()
assert not failures, failures
""")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="isolated interpreters exist from CPython 3.12 on")
def test_isolated() -> None:
    """An interpreter with its own GIL gets an ImportError, and the others go on."""
    run_program("""
exec(WORK)
isolated = create(isolated=True)
run(isolated, '''
try:
    import whatwg_encoding
except ImportError as error:
    assert "interpreter" in str(error), error
else:
    raise AssertionError
''')
work()
api.destroy(isolated)
work()
""")


@pytest.mark.gate
@shares_gil
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
@pytest.mark.skipif("WHATWG_ENCODING_INSTRUMENTED" in os.environ, reason="AddressSanitizer's own memory is included")
def test_memory() -> None:
    """Creating, importing and destroying 20 times takes little more memory than without the package."""
    decodes = "import whatwg_encoding as we; [each.decode(b'') for each in we.ENCODINGS.values()]"
    control, package = (
        int(
            run_program(f"""
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096


def cycle():
    interpreter = create()
    run(interpreter, "import codecs, copy, ctypes, io, pickle, importlib, collections, typing")
    run(interpreter, {code!r})
    api.destroy(interpreter)


for _ in range(5):
    cycle()
before = resident()
for _ in range(20):
    cycle()
print((resident() - before) // 20)
""")
        )
        for code in ("pass", decodes)
    )
    assert package - control < 200_000


def test_modules_are_imported_while_the_garbage_collector_runs() -> None:
    code = """\
import gc; gc.set_threshold(1, 1, 1)
from whatwg_encoding._native import arrow, capi, detect, prescan
"""
    code += "import whatwg_encoding as we; [encoding.decode(b'x') for encoding in we.ENCODINGS.values()]"
    python(code)
