"""Build the package of another commit beside the tree, to compare with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build(commit: str) -> Path:
    """Return the folder of the package as of ``commit``, in build/_out/base; it is compiled once."""
    command = ["git", "rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{commit} is no commit of this repository")
    name = done.stdout.strip()
    folder = ROOT / "build" / "_out" / "base" / name
    if not (folder / "whatwg_encoding").exists():
        source = folder / "source"
        print(f"Building {name[:10]} …", file=sys.stderr)
        source.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", name], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", source], input=archive, check=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--no-build-isolation", "--no-compile", "--target", folder, source], check=True)
    return folder / "whatwg_encoding"
