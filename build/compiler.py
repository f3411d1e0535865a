"""Check, before the set-up, that this machine can compile a Python extension module.

Compile a minimal module with the compiler that setuptools uses. On failure, exit with a message that names what is
missing and how to install it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

SOURCE = "#include <Python.h>\nint main(void)\n{\n    return 0;\n}\n"

INSTALL = {
    "compiler": "Debian, Ubuntu: apt-get install gcc; Fedora: dnf install gcc; macOS: xcode-select --install",
    "headers": "Debian, Ubuntu: apt-get install python3-dev; Fedora: dnf install python3-devel",
}


def fault() -> str | None:
    """Return the reason why this machine cannot compile, None if it can."""
    if os.name == "nt":  # setuptools locates the compiler.
        return None
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    if shutil.which(command[0]) is None:
        return f"a C compiler is required, but {command[0]} is not installed. {INSTALL['compiler']}"
    includes = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
    if not any((Path(folder) / "Python.h").exists() for folder in includes):
        return f"the headers of Python {sys.version_info[0]}.{sys.version_info[1]} are required. {INSTALL['headers']}"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "check.c"
        source.write_text(SOURCE)
        include_flags = (f"-I{include}" for include in sorted(includes))
        arguments = [*command, "-c", *include_flags, str(source), "-o", f"{source}.o"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{command[0]} cannot compile a file that includes Python.h:\n{done.stderr.strip()[-1000:]}"
    return None


if __name__ == "__main__":
    sys.exit(fault())
