"""``python build/release.py`` finds what a release lacks in the version, the changelog, README and the repository."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest
import release


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository of which a release lacks nothing."""
    monkeypatch.setattr(release, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-01-31)\n\nFirst release.\n")
    (tmp_path / "README.md").write_text("pip install whatwg-encoding\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    git(tmp_path, "tag", "v1.2.3")
    return tmp_path


def git(tree: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=tree, check=True)


def commit(tree: Path) -> None:
    git(tree, "add", "--all")
    git(tree, "commit", "-q", "-m", "change")


def test_a_release_lacks_nothing(tree: Path) -> None:
    assert list(release.of_the_commit("1.2.3")) == []


@pytest.mark.parametrize("version", ["1.2.3.dev1", "1.2", "1.2.3rc1"])
def test_a_version_of_no_release(tree: Path, version: str) -> None:
    assert f"the version is {version}" in next(release.of_the_commit(version))


@pytest.mark.parametrize(
    ("heading", "lacks"),
    [
        ("## 1.2.3 (unreleased)", "not of 1.2.3 with its date"),
        ("## 1.2.2 (2026-01-31)", "not of 1.2.3 with its date"),
        ("## 1.2.3 (9999-01-31)", "in the future"),
    ],
)
def test_a_changelog_without_the_date(tree: Path, heading: str, lacks: str) -> None:
    (tree / "CHANGELOG.md").write_text(f"{heading}\n")
    assert lacks in next(release.of_the_commit("1.2.3"))


@pytest.mark.parametrize("sentence", ["There is no release yet.", "Alpha, without a release."])
def test_readme_before_a_release(tree: Path, sentence: str) -> None:
    (tree / "README.md").write_text(f"{sentence}\n")
    commit(tree)
    git(tree, "tag", "--force", "v1.2.3")
    (lack,) = release.of_the_commit("1.2.3")
    assert lack.startswith("README.md says")


def test_changes_and_a_commit_without_a_tag(tree: Path) -> None:
    (tree / "new").write_text("")
    assert list(release.of_the_commit("1.2.3")) == ["the working tree has changes: commit them"]
    commit(tree)
    assert list(release.of_the_commit("1.2.3")) == ["this commit has no tag: git tag --sign v1.2.3"]


def test_a_release_has_a_wheel_for_each_python_and_platform(tmp_path: Path) -> None:
    names = (
        f"whatwg_encoding-1.2.3-{python.rstrip('t')}-{python}-{platform.replace('*', '_1_1')}.whl"
        for python in release.RELEASES
        for platform in release.PLATFORMS
    )
    for name in names:
        with zipfile.ZipFile(tmp_path / name, "w") as wheel:
            for licence in release.LICENCES:
                wheel.writestr(f"whatwg_encoding/{licence}", "")
            wheel.writestr(
                f"whatwg_encoding/sboms/{release.sbom.FILE}", '{"metadata": {"component": {"version": "1.2.3"}}}'
            )
    assert list(release.of_the_files("1.2.3", tmp_path)) == []
    assert list(release.of_all_platforms(tmp_path)) == [f"{tmp_path} has 0 sdists"]
    next(tmp_path.glob("*-cp314t-musllinux*_x86_64.whl")).unlink()
    assert "there is no wheel for cp314t on musllinux*_x86_64" in release.of_all_platforms(tmp_path)
    wheel = next(tmp_path.glob("*-cp313-win32.whl"))
    with zipfile.ZipFile(wheel, "w") as other:
        other.writestr("whatwg_encoding/LICENSE", "")
    lacks = [f"{wheel.name} has no LICENSE-WHATWG", f"{wheel.name} has no bill of materials of 1.2.3"]
    assert list(release.of_the_files("1.2.3", tmp_path)) == lacks


def test_what_a_person_does_is_in_order() -> None:
    steps = release.STEPS.format(version="1.2.3")
    assert steps.index("CHANGELOG.md") < steps.index("wheels.yml  ") < steps.index("git tag --sign v1.2.3")
