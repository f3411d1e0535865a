"""Refuse to be imported in a subinterpreter.

The compiled modules keep their objects for the process, so that one interpreter alone may import them. Without this a
subinterpreter that comes first would take them from the main one.
"""

import _thread


def _is_main_interpreter() -> bool:
    if hasattr(_thread, "_is_main_interpreter"):  # from CPython 3.13 on
        return bool(_thread._is_main_interpreter())
    try:
        import _xxsubinterpreters as interpreters  # type: ignore[import-not-found]
    except ImportError:  # then there is only the main one, unless C code makes others
        return True
    return int(interpreters.get_current()) == int(interpreters.get_main())


if not _is_main_interpreter():
    raise ImportError("whatwg_encoding can be imported in the main interpreter only, not in a subinterpreter")
