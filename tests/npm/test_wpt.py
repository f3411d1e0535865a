"""The Web Platform Tests of the Encoding Standard's API in Node, with the package's classes as the globals."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.npm import wpt
from tests.npm.package import NEEDS, built

HERE = Path(__file__).resolve().parent
pytestmark = NEEDS

#: Node 20 has no such class, and nor has the package anything to do with it.
WITHOUT_CLASS = "self[type] is not a constructor"


def failures(run: tuple[Path, Path, str, str]) -> tuple[int, list[str]]:
    """Run a file. Return how many tests it has, and those that failed."""
    package, folder, file, variant = run
    command = ["node", str(HERE / "wpt.mjs"), str(package), str(folder), file, variant]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False)
    if done.returncode != 0 or not done.stdout:
        return 1, [f"{file}{variant}: {done.stderr}"]
    results = json.loads(done.stdout)
    failed = [f"{file}{variant}: {name}: {message}" for name, status, message in results
              if status != 0 and not ("Float16Array" in name and message == WITHOUT_CLASS)]  # fmt: skip
    return len(results), failed


def test_web_platform_tests() -> None:
    package, folder = built(), wpt.folder()
    runs = [(package, folder, file, variant) for file, variant in wpt.runs(folder)]
    assert len({file for _, _, file, _ in runs}) >= 30
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(failures, runs))
    assert [failure for _, failed in results for failure in failed] == []
    assert sum(count for count, _ in results) > 10_000
