"""Several interpreters in one process: the package works in each, or raises an ImportError that says so."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import importlib, sys
for name in ("_interpreters", "_xxsubinterpreters"):
    try:
        interpreters = importlib.import_module(name)
    except ImportError:
        continue
    break
else:
    sys.exit("no interpreters")

CODE = '''
import sys
sys.path[:] = {path!r}
try:
    import whatwg_encoding as we
except ImportError as error:
    assert "nterpreter" in str(error), error
else:
    assert we.SHIFT_JIS.decode(b"\\\\x82\\\\xa0") == "\\\\u3042"
    assert we.lookup("sjis") is we.SHIFT_JIS
    for encoding in we.ENCODINGS.values():
        assert encoding.new_decoder().decode(b"", True) == ""
'''.format(path=sys.path)

if {first}:
    import whatwg_encoding
for _ in range(3):
    interpreter = interpreters.create()
    problem = interpreters.run_string(interpreter, CODE)
    assert problem is None, problem
    interpreters.destroy(interpreter)
try:
    import whatwg_encoding as we
except ImportError as error:
    assert "nterpreter" in str(error) and not {first}, error
else:
    assert we.SHIFT_JIS.decode(b"\\x82\\xa0") == "\\u3042"
"""


@pytest.mark.parametrize("first", [True, False], ids=["imported before", "not imported before"])
def test_other_interpreters(first: bool) -> None:
    """Run in a separate process, since a failure here may crash the interpreter."""
    program = PROGRAM.replace("{first}", str(first))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    if done.stderr.strip() == "no interpreters":
        pytest.skip("this Python cannot create interpreters from Python code")
    assert done.returncode == 0, done.stderr
