"""The Web Platform Tests, which Node's source package in Debian contains, and the files that need no web page.

``WHATWG_ENCODING_WPT`` names a checkout of https://github.com/web-platform-tests/wpt to be used instead.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.requirements import missing

FOLDER = "WHATWG_ENCODING_WPT"
REQUIRED = "WHATWG_ENCODING_REQUIRE_WPT"
_UNPACKED = Path(__file__).resolve().parents[2] / "build" / "_out" / "wpt"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_ARCHIVE = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"]
_PARTS = ("encoding/", "resources/", "interfaces/", "common/")
_SECONDS = 120

#: What a web page has and Node does not.
_PAGE = re.compile(r"\b(?:document|window)\.|XMLHttpRequest|idlharness-shadowrealm")
_VARIANT = re.compile(r"^// META: variant=(.*)$", re.MULTILINE)
_SCRIPT = re.compile(r"^// META: script=(.*)$", re.MULTILINE)


def _fetch(work: Path) -> None:
    """Unpack the tests of Debian's source package, from the archive that apt has and with its digest, into a folder."""
    for name in ("lists/partial", "cache/archives/partial", "wpt"):
        (work / name).mkdir(parents=True)
    archives = subprocess.run(_ARCHIVE, capture_output=True, text=True, timeout=_SECONDS, check=False).stdout.split()
    if not archives:
        return
    (work / "sources.list").write_text(f"deb-src [signed-by={_KEYRING}] {archives[0]} trixie main\n")
    options = {
        "Dir::Etc::sourcelist": work / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": work / "lists",
        "Dir::Cache": work / "cache",
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", "-qq", *(argument for item in options.items() for argument in ("-o", f"{item[0]}={item[1]}"))]
    for command in ([*apt, "update"], [*apt, "source", "--download-only", "--only-source", "nodejs"]):
        # The mirror may lack the other files of the package.
        subprocess.run(command, cwd=work, capture_output=True, timeout=_SECONDS, check=False)
    for path in work.glob("nodejs_*.orig.tar.xz"):
        with tarfile.open(path) as archive:
            for member in archive:
                _, separator, name = member.name.partition("/test/fixtures/wpt/")
                if separator and name.startswith(_PARTS) and member.isfile():
                    archive.extract(member.replace(name=name, deep=False), work / "wpt", filter="data")


def folder() -> Path:
    """Return the folder of the tests. Skip the test that calls this if there is none."""
    if chosen := os.environ.get(FOLDER):
        return Path(chosen)
    if _UNPACKED.is_dir():
        return _UNPACKED
    if shutil.which("apt-get") is None or not _KEYRING.exists():
        missing(f"the Web Platform Tests are fetched on Debian alone, or set {FOLDER}", REQUIRED)
    _UNPACKED.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=_UNPACKED.parent, ignore_cleanup_errors=True) as temporary:
        try:
            _fetch(Path(temporary))
        except (subprocess.TimeoutExpired, tarfile.TarError) as error:
            missing(f"the Web Platform Tests could not be fetched: {error}", REQUIRED)
        if not (Path(temporary) / "wpt" / "resources" / "testharness.js").exists():
            missing(f"the Web Platform Tests could not be fetched from Debian; or set {FOLDER}", REQUIRED)
        (Path(temporary) / "wpt").rename(_UNPACKED)
    return _UNPACKED


def runs(wpt: Path) -> Iterator[tuple[str, str]]:
    """Yield each file of the API that needs no web page, with the query of each variant."""
    for path in sorted([*wpt.glob("encoding/**/*.any.js"), *wpt.glob("encoding/**/*.window.js")]):
        text = path.read_text(encoding="utf-8")
        scripts = [wpt / name[1:] if name[0] == "/" else path.parent / name for name in _SCRIPT.findall(text)]
        helpers = [script.read_text(encoding="utf-8") for script in scripts if "encoding" in script.parts]
        for variant in _VARIANT.findall(text) or [""]:
            if variant == "?TextDecoder" or not any(_PAGE.search(content) for content in (text, *helpers)):
                yield path.relative_to(wpt).as_posix(), variant
