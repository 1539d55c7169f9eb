"""How Python enters a kernel: by a small function of its own, made when Python first calls the kernel.

It takes Python's objects apart, calls the compiled kernel where it lies and wraps up what that returns.
Most kernels are called by kernels only, and would take longer to compile with an entry than without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.compiler_lock import global_compiler_lock


@global_compiler_lock
def entry(kernel: Any, result: Any) -> Callable[..., Any]:
    """What Python calls to run a compiled kernel, from disk if it lies there.

    Args:
        kernel: the dispatcher.
        result: its compile result for the types of the call.
    """
    context = kernel.targetctx.subtarget(enable_nrt=kernel.targetoptions["_nrt"])
    cache = kernel._cache
    key = None
    if cache.cache_path:  # an entry fits one compilation: it calls the kernel by its name
        name = result.fndesc.llvm_cpython_wrapper_name
        key = (*cache._index_key(result.signature, context.codegen()), "entry", name)
    saved = cache._cache_file.load(key) if key else None
    constants = result.environment.consts  # the kernel's, then the entry's: types of arrays it returns
    if saved is not None:
        library = context.codegen().unserialize_library(saved[0])
        constants[:] = saved[1]
    else:
        library = context.codegen().create_library(f"{result.fndesc.qualname} entry")
        library.enable_object_caching()
        context.create_cpython_wrapper(
            library, result.fndesc, result.environment, result.call_helper, release_gil=True
        )
        library.finalize()
        if key:
            cache._cache_file.save(key, (library.serialize_using_object_code(), tuple(constants)))
    enter: Callable[..., Any] = context.get_executable(library, result.fndesc, result.environment)
    return enter
