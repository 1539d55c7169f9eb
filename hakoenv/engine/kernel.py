"""How compiled functions are declared.

Every kernel of hakoenv goes through :func:`kernel`: compiled by Numba, cached on disk, free of
the GIL. Numba's own cache watches only the file a kernel stands in; ours watches every hakoenv
module that file imports at its head, directly or through others, and the compiler flags, so an edited
callee never leaves a stale caller behind. A process in which sources changed while it was loading them
compiles for itself alone: what it has in memory may not be what its stamp says.

With ``NUMBA_DISABLE_JIT=1`` kernels are plain Python; :func:`zeros` then hands out record arrays,
whose fields are attributes as they are in compiled code.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, overload

import numba
import numpy as np
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import CPUDispatcher
from numpy.typing import DTypeLike, NDArray

from hakoenv.engine import linking
from hakoenv.engine.entries import entry
from hakoenv.engine.handles import by_address

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED: bool = not numba.config.DISABLE_JIT
_PACKAGE = __name__.partition(".")[0]
_IMPORT = re.compile(
    r"^(?:from\s+(hakoenv[\w.]*)\s+import\s+(\([^)]*\)|[^\n]+)|import\s+(hakoenv[\w.]*))", re.M
)
_COMPILED: list[Callable[..., Any]] = []
_STARTED = time.time()  # what was written since may have been loaded in its older form


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, allocates: bool = False, inline: bool = False) -> Callable[[F], F]: ...
def kernel(
    function: F | None = None, *, allocates: bool = False, inline: bool = False
) -> F | Callable[[F], F]:
    """Compile a function (nopython, nogil, cached); the type checker sees it unchanged.

    Args:
        function: the function, when used as a plain ``@kernel``.
        allocates: the kernel makes arrays, or gets one from a kernel that it calls. All others run without
            reference counting, which would cost more than their work: they only borrow what they are given.
            A loop is worth a kernel of its own that is given its arrays.
        inline: copy the kernel into its callers; for a hot one whose arguments cost more than its work.
    """
    if function is None:
        return lambda wrapped: _declare(wrapped, allocates, inline)
    return _declare(function, allocates, inline)


def _declare(function: F, allocates: bool, inline: bool) -> F:
    if not JIT_ENABLED:
        return function
    options = {
        "nopython": True,
        "nogil": True,
        "boundscheck": None,
        "_nrt": allocates,
        "no_cpython_wrapper": True,  # entries.py makes one where it is needed
        "no_cfunc_wrapper": True,
        "forceinline": inline,
    }
    dispatcher = _Kernel(function, targetoptions=options, pipeline_class=linking.KernelCompiler)
    try:
        if not _changed(function.__module__):
            dispatcher._cache = _KernelCache(function)
    except RuntimeError:
        _warn_uncached()
    _COMPILED.append(dispatcher)
    return dispatcher  # type: ignore[no-any-return]


def compiled_kernels() -> list[Callable[..., Any]]:
    """Return every kernel declared so far, in order of declaration (empty without JIT)."""
    return list(_COMPILED)


def zeros(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return a zero-filled array in the form that kernels take: a record array without JIT."""
    return as_kernel_array(np.zeros(shape, dtype))


def as_kernel_array(array: NDArray[Any]) -> NDArray[Any]:
    """View ``array`` in the form that kernels take, sharing its memory."""
    if JIT_ENABLED or array.dtype.names is None:
        return array
    return array.view(np.recarray)


@cache
def source_stamp(module_name: str) -> str:
    """Digest of a module's source and of every hakoenv module it imports at its head, directly or not.

    Files are read, not what is loaded: the same for every program, whatever it has imported before.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name, source in sorted(_sources(module_name).items()):
        digest.update(name.encode() + b"\0" + source.digest)
    return f"{digest.hexdigest()}|numpy {np.__version__}|bounds {bool(numba.config.BOUNDSCHECK)}"


def cache_directory(source_file: str) -> Path:
    """Where the kernels of ``source_file`` are cached.

    ``HAKOENV_CACHE_DIR`` if set; else beside the source; else, where that can't be written, a
    folder of the user's. A bounds-checked build never shares a folder with an unchecked one.
    """
    flavour = "kernels-bounds" if numba.config.BOUNDSCHECK else "kernels"
    folder = Path(source_file).resolve().parent
    slug = hashlib.blake2b(str(folder).encode(), digest_size=6).hexdigest()
    chosen = os.environ.get("HAKOENV_CACHE_DIR")
    if chosen:
        return Path(chosen) / flavour / f"{folder.name}-{slug}"
    if os.access(folder, os.W_OK):
        return folder / "__pycache__" / flavour
    home = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(home) / "hakoenv" / flavour / f"{folder.name}-{slug}"


class _Kernel(CPUDispatcher):
    """A compiled function that kernels call with 64-bit integers, whatever width a record field has.

    So every kernel is compiled once: a constant argument or an int16 field makes no second version.
    """

    def __init__(self, *args: Any, **kws: Any) -> None:
        super().__init__(*args, **kws)
        self._entries: list[Callable[..., Any]] = []

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        widened = tuple(_widen(kind) for kind in args)
        return super().get_call_template(widened, {name: _widen(kind) for name, kind in kws.items()})

    def typeof_pyval(self, value: Any) -> Any:
        return _widen(super().typeof_pyval(value))

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Python calls with arguments of these types for the first time."""
        inner = super()._compile_for_args(*args, **kws)
        (result,) = (known for known in self.overloads.values() if known.entry_point is inner)
        enter = entry(self, result)
        self._entries.append(enter)  # Numba's table of entries does not keep them
        self._insert([kind._code for kind in result.signature.args], enter, False)
        return enter


def _widen(kind: Any) -> Any:
    kind = types.unliteral(kind)
    if isinstance(kind, types.Integer) and kind.bitwidth < 64:
        return types.int64
    return by_address(kind)


class _KernelLocator(_CacheLocator):
    def __init__(self, function: Callable[..., Any], source_file: str) -> None:
        self._py_file = source_file
        self._lineno = function.__code__.co_firstlineno
        self._module = function.__module__
        self._path = str(cache_directory(source_file))

    def ensure_cache_path(self) -> None:
        _ensure_writable(self._path)

    def get_cache_path(self) -> str:
        return self._path

    def get_source_stamp(self) -> str:
        return source_stamp(self._module)

    def get_disambiguator(self) -> str:
        return "kernel"

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _KernelLocator | None:
        locator = cls(py_func, py_file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_KernelLocator]

    def reduce(self, result: Any) -> Any:
        return linking.save(result)

    def rebuild(self, target_context: Any, saved: Any) -> Any:
        return linking.load(target_context, saved)


class _KernelCache(FunctionCache):
    _impl_class = _KernelCacheImpl

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except linking.LinkError:
            return None
        except (ImportError, AttributeError):  # the list names types of an older version, which have moved
            self.flush()
            return None


@cache
def _ensure_writable(path: str) -> None:
    os.makedirs(path, exist_ok=True)
    tempfile.TemporaryFile(dir=path).close()


@cache
def _warn_uncached() -> None:
    warnings.warn(
        "hakoenv: no writable folder for compiled code, so every start compiles anew; "
        "set HAKOENV_CACHE_DIR to a writable folder",
        stacklevel=4,
    )


@cache
def _file_of(name: str) -> Path | None:
    """The source file of a module by its name, None if the name is no module.

    hakoenv's own need not be loaded; another's, in which a kernel stands, is.
    """
    package, _, inside = name.partition(".")
    if package != _PACKAGE:
        file = getattr(sys.modules.get(name), "__file__", None)
        return Path(file) if file else None
    if not inside:
        return None
    first, *rest = inside.split(".")
    spec = find_spec(f"{_PACKAGE}.{first}")
    if spec is None:
        return None
    if not spec.submodule_search_locations:
        return Path(spec.origin) if spec.origin and not rest else None
    place = Path(next(iter(spec.submodule_search_locations))).joinpath(*rest)
    files = (place / "__init__.py", place.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


class _Source(NamedTuple):
    digest: bytes
    imports: tuple[str, ...]  # names it imports from hakoenv at its head
    changed: bool  # written since this process started


@cache
def _sources(module_name: str) -> dict[str, _Source]:
    """A module and all it imports from hakoenv, directly or not, by name."""
    found: dict[str, _Source] = {}
    seen: set[str] = set()
    waiting = [module_name]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        file = _file_of(name)
        if file is not None:
            found[name] = _source(file)
            waiting.extend(found[name].imports)
    return found


def _changed(module_name: str) -> bool:
    """Whether one of a module's sources was written while this process was loading them."""
    return any(source.changed for source in _sources(module_name).values())


@cache
def _source(file: Path) -> _Source:
    changed = _STARTED < file.stat().st_mtime <= time.time()  # a date in the future is a wrong clock
    text = file.read_bytes()
    names: list[str] = []
    for package, members, plain in _IMPORT.findall(text.decode("utf-8")):
        names.append(package or plain)
        listed = re.sub(r"#[^\n]*", "", members).strip("()\n ").split(",")
        names += [f"{package}.{member.split()[0]}" for member in listed if member.split()]
    return _Source(hashlib.blake2b(text, digest_size=16).digest(), tuple(names), changed)
