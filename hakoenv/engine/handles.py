"""How compiled code holds a World or Rules: as the address of its arrays, not as three hundred numbers.

Numba passes a tuple by value: a call of a kernel would carry every array's address, shape and strides,
and such calls take longer to compile than the rules do. A class declared with :func:`handle` stays a
``NamedTuple`` in Python. Where Python calls a kernel, the arrays are described once, in memory that
lasts for the call; kernels hand the address on and load what they use.

A description does not change while a kernel can see it, and loads are marked so: the optimizer takes
them out of loops. A kernel can make such a tuple, too, of arrays that outlive the call they go to; it does
so in a function of its own, not in the body of a loop, where one description would follow another.
"""

from __future__ import annotations

import hashlib
import operator
import pickle
from functools import cached_property, reduce
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    models,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from numba.np import numpy_support

C = TypeVar("C", bound=type)
T = TypeVar("T", bound=tuple[Any, ...])

_WORD = ir.IntType(64)
_PARENT, _DATA, _SHAPE = 1, 4, 5  # words of an array's description, as NumPy arrays reach compiled code
_DECLARED: set[type] = set()


def handle(declared: C) -> C:
    """Declare a NamedTuple of arrays that kernels hold by its address; nothing changes for Python."""
    if not numba.config.DISABLE_JIT:
        _DECLARED.add(declared)
        typeof_impl.register(declared)(_typeof)
    return declared


def one_of(many: T, number: int) -> T:
    """The tuple of the ``number``-th parts of all arrays, each with an axis less: views. In kernels, too.

    There ``many`` is a declared tuple, and what is made is for a kernel's arguments, not to be kept.
    """
    return type(many)(*(array[number] for array in many))


class HandleType(types.Type):
    """The compiled type of a declared NamedTuple whose arrays have certain types."""

    def __init__(self, declared: type, name: str, packed: bytes) -> None:
        self.declared = declared
        self._packed = packed
        super().__init__(name)

    @classmethod
    def of(cls, declared: Any, kinds: tuple[Any, ...]) -> HandleType:
        """The type for arrays of these types, in the order of the fields."""
        for field, kind in zip(declared._fields, kinds, strict=True):
            if not isinstance(kind, types.Array):
                raise TypeError(f"{declared.__name__}.{field} must be an array, not {kind}")
        text = "\n".join((declared.__module__, declared.__qualname__, *declared._fields, *map(str, kinds)))
        # A short name: it is part of the name of every compiled function.
        name = f"{declared.__name__}_{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"
        return cls(declared, name, pickle.dumps(kinds))

    def __reduce__(self) -> tuple[Any, ...]:
        return HandleType, (self.declared, self.name, self._packed)

    @cached_property
    def kinds(self) -> dict[str, Any]:
        """The array types by field; unpacked when first asked for, as loading compiled code doesn't ask."""
        fields: tuple[str, ...] = self.declared._fields  # type: ignore[attr-defined]
        return dict(zip(fields, pickle.loads(self._packed), strict=True))

    @cached_property
    def places(self) -> dict[str, int]:
        """The word where each field's description begins."""
        places, end = {}, 0
        for field, kind in self.kinds.items():
            places[field] = end
            end += _words(kind)
        return places

    @cached_property
    def itemsizes(self) -> dict[str, int]:
        """Bytes of an element of each field."""
        return {name: numpy_support.as_dtype(kind.dtype).itemsize for name, kind in self.kinds.items()}

    @property
    def words(self) -> int:
        """Length of the whole description."""
        return sum(map(_words, self.kinds.values()))

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """A tuple made in a kernel becomes a handle where it is handed to another."""
        return Conversion.safe if by_address(other) == self else None


def by_address(kind: Any) -> Any:
    """The type in which a kernel takes an argument: a handle for a tuple of a declared class."""
    if isinstance(kind, types.BaseNamedTuple) and kind.instance_class in _DECLARED:
        return HandleType.of(kind.instance_class, tuple(kind))
    return kind


def _words(kind: Any) -> int:
    return _SHAPE + 2 * int(kind.ndim)


def _typeof(value: Any, context: Any) -> HandleType:
    return HandleType.of(type(value), tuple(typeof_impl(array, context) for array in value))


@register_model(HandleType)
class _HandleModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: HandleType) -> None:
        super().__init__(manager, kind, _WORD.as_pointer())


@infer_getattr
class _HandleAttribute(AttributeTemplate):
    key = HandleType

    def generic_resolve(self, kind: HandleType, field: str) -> Any:
        return kind.kinds.get(field)


@lower_getattr_generic(HandleType)
def _load_array(context: Any, builder: Any, kind: HandleType, address: Any, field: str) -> Any:
    """The array of a field. What is not used of it is not loaded."""
    array = kind.kinds[field]
    ndim = array.ndim
    constant = builder.module.add_metadata([])

    def load(word: int, like: Any = _WORD) -> Any:
        place = _slot(builder, address, kind.places[field] + word)
        loaded = builder.load(place if like is _WORD else builder.bitcast(place, like.as_pointer()))
        loaded.set_metadata("invariant.load", constant)
        return loaded

    model = context.data_model_manager[array]
    value: Any = ir.Constant(model.get_value_type(), None)  # without an owner to count references to

    def put(part: str, what: Any, *index: int) -> None:
        nonlocal value
        value = builder.insert_value(value, what, [model.get_field_position(part), *index])

    def like(part: str) -> Any:
        return value.type.elements[model.get_field_position(part)]

    itemsize = ir.Constant(_WORD, kind.itemsizes[field])
    shape = [load(_SHAPE + axis) for axis in range(ndim)]
    if context.enable_nrt:
        put("parent", load(_PARENT, like("parent")))  # only such kernels may return an array
    put("nitems", reduce(builder.mul, shape, ir.Constant(_WORD, 1)) if ndim != 1 else shape[0])
    put("itemsize", itemsize)
    put("data", load(_DATA, like("data")))
    for axis in range(ndim):
        put("shape", shape[axis], axis)
        packed = array.layout == "C" and axis == ndim - 1
        put("strides", itemsize if packed else load(_SHAPE + ndim + axis), axis)
    return value


def _slot(builder: Any, address: Any, word: int) -> Any:
    return builder.gep(address, [ir.Constant(_WORD, word)], inbounds=True) if word else address


@unbox(HandleType)
def _describe(kind: HandleType, tuple_object: Any, c: Any) -> NativeValue:
    """Describe the arrays of a tuple, which its caller keeps alive, on the stack of the entry."""
    address = _room(c.builder, kind)
    adapt = c.pyapi._get_function(
        ir.FunctionType(ir.IntType(32), [c.pyapi.pyobj, c.pyapi.voidptr]), name="numba_adapt_ndarray"
    )
    faults = ir.Constant(ir.IntType(32), 0)
    for number, place in enumerate(kind.places.values()):
        array = c.pyapi.tuple_getitem(tuple_object, number)
        slot = c.builder.bitcast(_slot(c.builder, address, place), c.pyapi.voidptr)
        faults = c.builder.or_(faults, c.builder.call(adapt, (array, slot)))
    failed = cgutils.is_not_null(c.builder, faults)
    with c.builder.if_then(failed, likely=False):
        c.pyapi.err_set_string("PyExc_TypeError", f"a field of {kind.declared.__name__} is not an array")
    return NativeValue(address, is_error=failed)


@type_callable(one_of)
def _type_one_of(context: Any) -> Any:
    def typer(many: Any, number: Any) -> Any:
        if not isinstance(many, HandleType) or not isinstance(number, types.Integer):
            return None
        take = operator.getitem
        parts = [context.resolve_function_type(take, (kind, types.intp), {}) for kind in many.kinds.values()]
        return types.BaseTuple.from_types([part.return_type for part in parts], many.declared)

    return typer


@lower_builtin(one_of, HandleType, types.Integer)
def _make_one_of(context: Any, builder: Any, made: Any, given: Any) -> Any:
    many, integer = made.args
    number = context.cast(builder, given[1], integer, types.intp)
    parts = []
    for (field, kind), part in zip(many.kinds.items(), made.return_type, strict=True):
        take = context.get_function(operator.getitem, part(kind, types.intp))
        parts.append(take(builder, (_load_array(context, builder, many, given[0], field), number)))
    return context.make_tuple(builder, made.return_type, parts)


@lower_cast(types.BaseNamedTuple, HandleType)
def _describe_made(context: Any, builder: Any, source: Any, kind: HandleType, value: Any) -> Any:
    """Describe the arrays of a tuple that was made in a kernel, on the stack of that kernel."""
    address = _room(builder, kind)
    for number, place in enumerate(kind.places.values()):
        array = builder.extract_value(value, number)
        builder.store(array, builder.bitcast(_slot(builder, address, place), array.type.as_pointer()))
    # The optimizer must not see that this is the memory just written: loads through it count as constant.
    same = ir.InlineAsm(ir.FunctionType(address.type, [address.type]), "", "=r,0,~{memory}", side_effect=True)
    return builder.call(same, [address])


def _room(builder: Any, kind: HandleType) -> Any:
    room = cgutils.alloca_once(builder, ir.ArrayType(_WORD, kind.words))
    return builder.bitcast(room, _WORD.as_pointer())
