"""The wheel holds what the tree holds (an editable install hides a missing package)."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = {".toml", ".yaml", ".csv", ".json", ".md", ".txt", ".ttf", ".otf", ".typed", ".py"}


def tree_files() -> set[str]:
    """Every file of the packages, named as the wheel names it."""
    found = set()
    for folder, prefix in (
        ("hakoenv", "hakoenv"),
        ("agents", "hakoenv/agents"),
        ("experiments", "hakoenv/experiments"),
    ):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in DATA and "__pycache__" not in path.parts:
                found.add(f"{prefix}/{path.relative_to(ROOT / folder).as_posix()}")
    return found


def test_wheel_holds_every_file_of_the_tree(tmp_path: Path) -> None:
    source = tmp_path / "source"  # a copy: building leaves folders behind
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "runs", "*.egg-info")
    )
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(source)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == tree_files()


def test_every_package_is_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    present = {str(Path(name).parent).replace("/", ".") for name in tree_files()}
    assert listed == present
