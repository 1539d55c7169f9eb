"""How kernels are put together: a big one is compiled once and called where it lies.

Numba copies all that a function calls into the function's own module and compiles it again there, so that
the turn would hold a second copy of the whole engine, and a phase one of all below it. Here only small
kernels are copied, where they may be inlined. A big kernel stays apart: callers name it, and the loader
joins them. The name is the same in every process, and compiled code on disk lists the kernels it needs.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import count
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.funcdesc import default_mangler
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

SMALL = 150  # lines of the optimizer's language up to which a kernel is copied into its callers

_NAMED: dict[str, Callable[..., Any]] = {}


class LinkError(Exception):
    """A kernel that compiled code on disk needs is not what it was."""


@dataclass(frozen=True)
class Callee:
    """A kernel that lies apart: its name for the loader, and where it is found when it isn't loaded yet."""

    symbol: str
    module: str
    qualname: str
    arguments: tuple[Any, ...]

    def load(self, target_context: Any) -> None:
        """Make it known to the loader, from disk or by compiling it.

        Raises:
            LinkError: there is no such kernel any more.
        """
        engine = target_context.codegen()._engine
        if engine.is_symbol_defined(self.symbol):
            return
        found = _find(self.module, self.qualname)
        if found is not None:
            found.compile(self.arguments)
        if not engine.is_symbol_defined(self.symbol):
            raise LinkError(f"{self.module}.{self.qualname}")


@dataclass(frozen=True)
class Links:
    """How a compiled kernel is called, and what it calls."""

    apart: Callee | None  # None: it is copied into its callers
    calls: tuple[Callee, ...]


class KernelCompiler(Compiler):
    """Numba's compiler, with names that last and a library that copies small kernels only."""

    def _compile_bytecode(self) -> Any:
        state = self.state
        identity = state.func_id
        identity.unique_id = _lasting_name(identity.func)
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        state.targetctx = state.targetctx.subtarget(mangler=_symbol)
        state.library = KernelLibrary(state.targetctx.codegen(), identity.func_qualname)
        state.library.enable_object_caching()
        state.library.counts_references = state.flags.nrt
        result = super()._compile_bytecode()
        state.library.links = Links(
            None if state.flags.forceinline else _callee(identity.func, result),
            tuple(state.library.calls.values()),
        )
        return result


class KernelLibrary(JITCodeLibrary):
    """The compiled code of a kernel and of the small ones it calls."""

    links: Links | None = None
    counts_references = True

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.calls: dict[str, Callee] = {}

    def _optimize_functions(self, module: Any) -> None:
        if self.counts_references:
            super()._optimize_functions(module)
        else:
            module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimize once; before that Numba would once by function and once to match counts of references."""
        if self.counts_references:
            super()._optimize_final_module()
        else:
            passes, builder = self._codegen._module_pass_manager()
            passes.run(self._final_module, builder)

    def add_linking_library(self, library: Any) -> None:
        """Copy what a kernel calls, or note that it lies apart."""
        links = getattr(library, "links", None)
        if links is not None and links.apart is not None:
            self.calls[links.apart.symbol] = links.apart
            return
        super().add_linking_library(library)
        if links is not None:
            self.calls.update((callee.symbol, callee) for callee in links.calls)


def save(result: Any) -> tuple[Any, ...]:
    """What is written to disk of a compiled kernel."""
    return result.library.links, result._reduce()


def load(target_context: Any, saved: tuple[Any, ...]) -> Any:
    """A compiled kernel from disk, joined to those it calls.

    Raises:
        LinkError: one of these is not what it was.
    """
    links, reduced = saved
    for callee in links.calls:
        callee.load(target_context)
    result = CompileResult._rebuild(target_context, *reduced)
    result.library.links = links
    return result


def _callee(function: Callable[..., Any], result: Any) -> Callee | None:
    """How to call a kernel that is too big to copy; None if it isn't."""
    found = _find(function.__module__, function.__qualname__)
    if found is None or found.py_func is not function:
        return None  # made in a function: nobody could load it again
    symbol = result.fndesc.llvm_func_name
    if str(result.library.get_function(symbol)).count("\n") <= SMALL:
        return None
    return Callee(symbol, function.__module__, function.__qualname__, tuple(result.signature.args))


def _find(module: str, qualname: str) -> Any:
    try:
        found = reduce(getattr, qualname.split("."), importlib.import_module(module))
    except (ImportError, AttributeError):
        return None
    return found if isinstance(found, CPUDispatcher) else None


def _symbol(name: str, kinds: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """The loader's name of a function for arguments of these types.

    Records are named by their fields: Numba would name them by a number that each process gives anew.
    """
    lasting = [_short_name(str(kind)) if "Record(" in str(kind) else kind for kind in kinds]
    return str(default_mangler(name, lasting, abi_tags=abi_tags, uid=uid))


def _short_name(kind: str) -> str:
    return f"records_{hashlib.blake2b(kind.encode(), digest_size=8).hexdigest()}"


def _lasting_name(function: Callable[..., Any]) -> str:
    """What tells a function from others of its name, in this process and in all that load its code."""
    cells = function.__closure__ or ()
    digest = hashlib.blake2b(digest_size=6)
    digest.update(function.__module__.encode() + function.__code__.co_code)
    digest.update(dumps(tuple(cell.cell_contents for cell in cells)))
    for number in count():
        name = f"{digest.hexdigest()}{number or ''}"
        if _NAMED.setdefault(f"{function.__qualname__} {name}", function) is function:
            return name
    raise AssertionError
