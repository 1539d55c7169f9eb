"""The cache of compiled code: never stale, apart for bounds checks, optional where nothing can be written."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hakoenv.engine.kernel as kernel_module

CALLER = """
from hakoenv.engine.kernel import kernel
from hakoenv import callee


@kernel
def ask(x: int) -> int:
    return callee.answer(x) + 1
"""
CALLEE = """
from hakoenv.engine.kernel import kernel


@kernel
def answer(x: int) -> int:
    return x * {factor}
"""
BIG = """
import numpy as np
from hakoenv.engine.kernel import kernel
from hakoenv import callee

TABLE = np.arange(7)


@kernel
def answer(x: int) -> int:
    values = TABLE
    total = 0
{lines}
    return callee.answer(x) + 0 * total
"""
LINES = "\n".join(f"    total = total * 3 + values[(x + total * {i}) % 7] // (x + {i})" for i in range(1, 60))
RUN = """
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    from hakoenv import caller
    value = caller.ask(10)
hits = sum(caller.ask.stats.cache_hits.values())
print(value, hits, sum("HAKOENV_CACHE_DIR" in str(w.message) for w in seen))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package called hakoenv with the real modules of the compiler, a caller and a callee."""
    root = tmp_path / "site"
    engine = root / "hakoenv" / "engine"
    engine.mkdir(parents=True)
    for folder in (engine, engine.parent):
        (folder / "__init__.py").write_text("", encoding="utf-8")
    for name in ("entries.py", "handles.py", "kernel.py", "linking.py"):
        shutil.copy(Path(kernel_module.__file__).parent / name, engine)
    (root / "hakoenv" / "caller.py").write_text(CALLER, encoding="utf-8")
    (root / "hakoenv" / "callee.py").write_text(CALLEE.format(factor=2), encoding="utf-8")
    return root


def run(package: Path, **settings: str) -> tuple[int, int, int]:
    """Import the caller in a new process: its value for 10, cache hits, warnings about the cache."""
    value, hits, warned = map(int, output_of(package, RUN, **settings).split())
    return value, hits, warned


def output_of(package: Path, script: str, **settings: str) -> str:
    """Run a script with the package in a new process, compiled whatever this process does."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "HAKOENV_", "XDG_"))}
    environment |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **settings}
    file = package / "script.py"
    file.write_text(script, encoding="utf-8")
    command = [sys.executable, str(file)]
    done = subprocess.run(command, env=environment, cwd=package, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def cache_files(folder: Path, flavour: str) -> list[Path]:
    return [
        file
        for file in folder.rglob("*.nbi")
        if file.parent.name == flavour or file.parent.parent.name == flavour
    ]


def test_a_second_start_loads_from_the_cache(package: Path) -> None:
    assert run(package) == (21, 0, 0)
    assert run(package) == (21, 1, 0)


def test_an_edited_callee_changes_its_cached_caller(package: Path) -> None:
    run(package)
    (package / "hakoenv" / "callee.py").write_text(CALLEE.format(factor=3), encoding="utf-8")
    assert run(package) == (31, 0, 0)
    assert run(package) == (31, 1, 0)


def test_code_of_an_older_version_whose_types_have_moved_is_compiled_anew(package: Path) -> None:
    run(package)
    for file in cache_files(package, "kernels"):
        with file.open("rb") as old:
            version = pickle.load(old)
        file.write_bytes(pickle.dumps(version) + b"chakoenv.gone\nTable\n.")
    assert run(package) == (21, 0, 0)
    assert run(package) == (21, 1, 0)


def test_a_process_whose_sources_changed_while_it_loaded_them_leaves_no_code_behind(package: Path) -> None:
    loads_the_old_form = """
import pathlib, sys
from hakoenv import callee                                 # loaded while it says factor 2 ...
del sys.modules["hakoenv.engine.kernel"]                   # ... by a process that starts, as far as
import hakoenv.engine.kernel                               # compiled code goes, with this import
file = pathlib.Path(callee.__file__)
file.write_text(file.read_text().replace("x * 2", "x * 3"))  # the edit, before its stamp is made
from hakoenv import caller
print(caller.ask(10))
"""
    assert output_of(package, loads_the_old_form).strip() == "21"
    assert run(package) == (31, 0, 0)  # what it compiled was the old form
    assert run(package) == (31, 1, 0)


def test_the_cache_does_not_depend_on_what_a_program_has_imported_before(package: Path) -> None:
    """Else two programs would overwrite each other's compiled code, and compile anew in turns."""
    caller = package / "hakoenv" / "caller.py"
    late = "\n\ndef late() -> None:\n    from hakoenv import reader\n\n    reader.read()\n"
    caller.write_text(CALLER + late, encoding="utf-8")
    reader = "from hakoenv import caller\n\n\ndef read() -> int:\n    return caller.ask(1)\n"
    (package / "hakoenv" / "reader.py").write_text(reader, encoding="utf-8")
    assert run(package) == (21, 0, 0)
    assert output_of(package, "from hakoenv import reader\n" + RUN).split()[:2] == ["21", "1"]
    assert run(package) == (21, 1, 0)


def test_an_edited_constant_of_an_imported_module_changes_the_caller(package: Path) -> None:
    sizes = package / "hakoenv" / "sizes.py"
    sizes.write_text("FACTOR = 2\n", encoding="utf-8")
    (package / "hakoenv" / "callee.py").write_text(
        "from hakoenv.sizes import (\n    FACTOR,\n)\n" + CALLEE.format(factor="FACTOR"), encoding="utf-8"
    )
    assert run(package) == (21, 0, 0)
    sizes.write_text("FACTOR = 5\n", encoding="utf-8")
    assert run(package) == (51, 0, 0)


@pytest.fixture
def stack(package: Path) -> Path:
    """The package with a big kernel between caller and callee, which is not copied into the caller."""
    (package / "hakoenv" / "big.py").write_text(BIG.format(lines=LINES), encoding="utf-8")
    caller = CALLER.replace("import callee", "import big").replace("callee.answer", "big.answer")
    (package / "hakoenv" / "caller.py").write_text(caller, encoding="utf-8")
    return package


LINKS = """
from hakoenv import big, caller
value = caller.ask(10)
(compiled,) = caller.ask.overloads.values()
calls = [callee.qualname for callee in compiled.library.links.calls]
print(value, *calls, *(sum(kernel.stats.cache_hits.values()) for kernel in (caller.ask, big.answer)))
"""


@pytest.mark.parametrize("bounds", ["0", "1"])
def test_a_big_kernel_lies_apart_and_is_loaded_with_its_caller(stack: Path, bounds: str) -> None:
    assert output_of(stack, LINKS, NUMBA_BOUNDSCHECK=bounds).split() == ["21", "answer", "0", "0"]
    assert output_of(stack, LINKS, NUMBA_BOUNDSCHECK=bounds).split() == ["21", "answer", "1", "1"]


def test_an_edit_below_a_big_kernel_reaches_its_caller(stack: Path) -> None:
    assert run(stack) == (21, 0, 0)
    assert run(stack) == (21, 1, 0)
    (stack / "hakoenv" / "callee.py").write_text(CALLEE.format(factor=3), encoding="utf-8")
    assert run(stack) == (31, 0, 0)
    assert run(stack) == (31, 1, 0)


def test_an_edited_big_kernel_reaches_its_caller(stack: Path) -> None:
    assert run(stack) == (21, 0, 0)
    changed = BIG.format(lines=LINES).replace("callee.answer(x)", "callee.answer(x) + 1")
    (stack / "hakoenv" / "big.py").write_text(changed, encoding="utf-8")
    assert run(stack) == (22, 0, 0)
    assert run(stack) == (22, 1, 0)


def test_a_big_kernel_that_is_gone_from_the_cache_is_compiled_again(stack: Path) -> None:
    run(stack)
    for file in stack.rglob("big.answer*"):
        file.unlink()
    assert output_of(stack, LINKS).split() == ["21", "answer", "1", "0"]


def test_kernels_compiled_in_different_processes_fit_together(stack: Path) -> None:
    output_of(stack, "from hakoenv import callee, big; callee.answer(1); big.answer(1)")
    assert output_of(stack, LINKS).split() == ["21", "answer", "0", "1"]
    assert run(stack) == (21, 1, 0)


def test_a_comment_in_a_list_of_imports_hides_no_module(package: Path) -> None:
    sizes = package / "hakoenv" / "sizes.py"
    sizes.write_text("FACTOR = 2\n", encoding="utf-8")
    (package / "hakoenv" / "other.py").write_text("", encoding="utf-8")
    (package / "hakoenv" / "callee.py").write_text(
        "from hakoenv import (\n    other,  # first\n    sizes,\n)\n" + CALLEE.format(factor="sizes.FACTOR"),
        encoding="utf-8",
    )
    assert run(package) == (21, 0, 0)
    sizes.write_text("FACTOR = 5\n", encoding="utf-8")
    assert run(package) == (51, 0, 0)


def test_a_bounds_checked_build_has_a_cache_of_its_own(package: Path) -> None:
    run(package)
    plain = cache_files(package, "kernels")
    assert run(package, NUMBA_BOUNDSCHECK="1") == (21, 0, 0)
    assert cache_files(package, "kernels") == plain
    assert len(cache_files(package, "kernels-bounds")) == len(plain) > 0
    assert run(package, NUMBA_BOUNDSCHECK="1") == (21, 1, 0)


def test_the_cache_goes_where_it_is_told(package: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    assert run(package, HAKOENV_CACHE_DIR=str(chosen)) == (21, 0, 0)
    assert len(cache_files(chosen, "kernels")) == 2
    assert cache_files(package, "kernels") == []
    assert run(package, HAKOENV_CACHE_DIR=str(chosen)) == (21, 1, 0)


def test_without_a_writable_folder_it_compiles_and_warns_once(package: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder can be made below a file", encoding="utf-8")
    assert run(package, HAKOENV_CACHE_DIR=str(blocked)) == (21, 0, 1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_install_is_cached_in_a_folder_of_the_users(package: Path, tmp_path: Path) -> None:
    folders = [package / "hakoenv", package / "hakoenv" / "engine"]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert run(package, XDG_CACHE_HOME=str(tmp_path / "home")) == (21, 0, 0)
        assert run(package, XDG_CACHE_HOME=str(tmp_path / "home")) == (21, 1, 0)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert len(cache_files(tmp_path / "home", "kernels")) == 2


def test_a_folder_that_cant_be_written_gives_way_to_the_users(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("HAKOENV_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = kernel_module.__file__
    assert kernel_module.cache_directory(source).parent.name == "__pycache__"
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert kernel_module.cache_directory(source).is_relative_to(tmp_path / "hakoenv")


def test_kernels_made_by_one_function_are_told_apart(package: Path) -> None:
    script = """
from hakoenv.engine.kernel import kernel


def maker(factor):
    @kernel
    def scaled(x: int) -> int:
        return factor * x

    return scaled


def again():
    @kernel
    def scaled(x: int) -> int:
        return TIMES * x

    return scaled


TIMES = 3
threefold = again()
threefold(1)
TIMES = 4
double, triple, fourfold = maker(2), maker(3), again()


@kernel
def both(x: int) -> int:
    return double(x) * 100 + triple(x)


print(both(2), threefold(2), fourfold(2))
"""
    for _ in range(2):
        assert output_of(package, script).split()[:1] == ["406"]
    assert output_of(package, script, HAKOENV_CACHE_DIR="/dev/null/none").split() == ["406", "6", "8"]


def test_an_entry_from_the_cache_returns_arrays(package: Path) -> None:
    script = """
import numpy as np
from hakoenv.engine.kernel import kernel


@kernel(allocates=True)
def count(n: int):
    return np.arange(n)


print(count(3).sum(), count(4).dtype)
"""
    for _ in range(2):
        assert output_of(package, script).split() == ["3", "int64"]


def test_an_entry_of_another_processs_compilation_is_not_used(package: Path) -> None:
    """Two that compile at once may leave the kernel of one and the entry of the other."""
    (package / "hakoenv" / "caller.py").write_text(
        """
from hakoenv.engine.kernel import kernel


@kernel
def first(rows) -> int:
    return rows[0].x
""",
        encoding="utf-8",
    )
    call = """
import numpy as np
{before}
from hakoenv import caller
rows = np.array([(7,)], np.dtype([("x", np.int64)]))
{act}
"""
    others = (
        "import numba\nfor n in range(1, 40): numba.typeof(np.zeros(1, [('x', 'i8'), ('y', 'u1', (n,))]))"
    )
    again = """
from numba import typeof
caller.first._cache.load_overload = lambda *_: None
caller.first.compile((typeof(rows),))
"""
    assert output_of(package, call.format(before="", act="print(caller.first(rows))")).split() == ["7"]
    output_of(package, call.format(before=others, act=again))  # writes its kernel over the other's
    assert output_of(package, call.format(before="", act="print(caller.first(rows))")).split() == ["7"]
    named = "caller.first(rows)\nprint(*(r.fndesc.mangled_name for r in caller.first.overloads.values()))"
    names = {output_of(package, call.format(before=before, act=named)) for before in ("", others)}
    assert len(names) == 1  # so that kernels compiled by different processes find each other


def test_one_version_of_a_kernel_serves_every_width_of_integer(package: Path) -> None:
    script = """
import numpy as np
from hakoenv.engine.kernel import compiled_kernels, kernel, zeros


@kernel
def double(x: int) -> int:
    return 2 * x


@kernel
def total(records, x: int) -> int:
    return double(records[0].small) + double(records[0].byte) + double(3) + double(x)


records = zeros(1, np.dtype([("small", "i2"), ("byte", "u1")]))
records["small"], records["byte"] = 300, 200
print(total(records, 1), [len(k.signatures) for k in compiled_kernels()])
"""
    assert output_of(package, script).strip() == "1008 [1, 1]"
