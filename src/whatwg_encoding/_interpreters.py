"""Refuse to be imported in a subinterpreter.

The compiled modules share their objects across the process, so only one interpreter may import them. Without this
check a subinterpreter could import them before the main one.
"""

import _thread


def _is_main_interpreter() -> bool:
    if hasattr(_thread, "_is_main_interpreter"):  # from CPython 3.13 on
        return bool(_thread._is_main_interpreter())
    try:
        import _xxsubinterpreters as interpreters  # type: ignore[import-not-found]
    except ImportError:  # only an embedding C program can create other interpreters
        return True
    return int(interpreters.get_current()) == int(interpreters.get_main())


if not _is_main_interpreter():
    raise ImportError("whatwg_encoding can be imported in the main interpreter only, not in a subinterpreter")
