"""Compile all loops, when the package is built.

Question: which loops are compiled before the first run, and for which processors?
Method: every module of loops is imported; each loop is compiled for the types declared with it, and for every processor
of this architecture. An entry into it takes one block of words of 64 bits: numbers, and addresses of array objects,
whose fields it reads; the results replace the first words. `hatch_build.py` calls this in a process of its own.
Limits: code for the processor at hand would be 2 to 6 % faster. Code that needs more than the processor, because it
allocates or raises, is an error.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.np.numpy_support import as_dtype

from privaudit.risk.codes import machine_code, merging_loops, sorting_loops  # noqa: F401 - declare loops
from privaudit.risk.codes.machine_code import Loop
from privaudit.risk.kernel import partition_loops, region_loops, unique_steps_compiled  # noqa: F401 - declare loops

WORD, COUNT = ir.IntType(64), ir.IntType(32)
IS_CONTIGUOUS, IS_ALIGNED, IS_WRITEABLE = 0x1, 0x100, 0x400
"""Flags of an array: elements follow each other, row by row; each is at a multiple of its size; they may be changed."""
ALL = 0xFFFFFFFF


njit = numba.njit(nogil=True, error_model="numpy", _nrt=False)
"""Compiles without the run-time library of Numba: code that allocates cannot be compiled."""


def compile_loops() -> Path:
    """Write the machine code of every loop, and return the folder with the files.

    Nothing else may have been compiled before in this process.
    """
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = "generic", ""
    made = machine_code.folder()
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    with ExitStack() as unless_complete:
        unless_complete.callback(shutil.rmtree, made, ignore_errors=True)
        for loop in machine_code.LOOPS:
            loop.dispatcher = njit(loop.function)
        for module, loops in groupby(machine_code.LOOPS, lambda loop: loop.function.__module__):
            machine_code.write_code(machine_code.object_file(module), _object_code(module, list(loops)))
        unless_complete.pop_all()
    return made


def _object_code(module: str, loops: list[Loop]) -> bytes:
    """Return the object code of loops, with their entries.

    Raises
    ------
    ValueError
        The code needs more than the processor, or a loop returns something else than declared.
    """
    made = [_compiled(loop, types) for loop in loops for types in loop.types]
    symbols = [loop.symbol(i) for loop in loops for i in range(len(loop.types))]
    library = made[0].target_context.codegen().create_library(module)
    library.enable_object_caching()
    entries = library.create_ir_module(module)
    for each, symbol in zip(made, symbols, strict=True):
        _enter(entries, each, symbol)
    library.add_ir_module(entries)
    for each in made:
        library.add_linking_library(each.library)
    with global_compiler_lock:
        library.finalize()
    _check(library)
    return library._get_compiled_object()


def _compiled(loop: Loop, types: tuple[str, ...]) -> Any:
    """Return what Numba made of a loop for some types."""
    arguments, _ = sigutils.normalize_signature(f"({', '.join(types)},)")
    loop.dispatcher.compile(arguments)
    made = loop.dispatcher.overloads[arguments]
    results = {0: numba.none, 1: numba.int64}.get(loop.n_results, numba.types.UniTuple(numba.int64, loop.n_results))
    if made.signature.return_type != results:
        raise ValueError(f"{loop.symbol(0)} returns {made.signature.return_type}")
    return made


def _enter(module: Any, code: Any, symbol: str) -> None:
    """Add the function that enters a loop; it returns 0, and does nothing, where an array is not as declared."""
    function = ir.Function(module, ir.FunctionType(COUNT, [WORD.as_pointer()]), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    (block,) = function.args
    types, context = code.signature.args, code.target_context
    places = [builder.gep(block, [WORD(i)]) for i in range(len(types))]
    values = []
    for place, declared in zip(places, types, strict=True):
        if isinstance(declared, numba.types.Array):
            address = builder.load(place)
            _require_array(builder, address, declared)
            values.append(_array(builder, context, address, declared))
        else:
            values.append(builder.load(builder.bitcast(place, context.get_value_type(declared).as_pointer())))
    callee = context.declare_function(module, code.fndesc)
    returns = code.signature.return_type
    _, result = context.call_conv.call_function(builder, callee, returns, types, values)
    results = cgutils.unpack_tuple(builder, result) if isinstance(returns, numba.types.UniTuple) else [result]
    if returns != numba.none:
        for i, each in enumerate(results):
            builder.store(each, builder.gep(block, [WORD(i)]))
    builder.ret(COUNT(1))


def _field(builder: Any, address: Any, offset: int, kind: Any = WORD) -> Any:
    """Load what is `offset` bytes behind an address."""
    return builder.load(builder.inttoptr(builder.add(address, WORD(offset)), kind.as_pointer()))


def _require_array(builder: Any, address: Any, declared: Any) -> None:
    """Return 0 unless an array has the axes, the layout and the type that were declared."""
    flags = IS_ALIGNED | IS_WRITEABLE | (IS_CONTIGUOUS if declared.layout == "C" else 0)
    for field, mask, value in ((machine_code.N_AXES, ALL, declared.ndim), (machine_code.FLAGS, flags, flags)):
        _require(builder, _field(builder, address, field, COUNT), mask, value)
    kind = _field(builder, _field(builder, address, machine_code.TYPE), machine_code.KIND, COUNT)
    _require(builder, kind, machine_code.KIND_MASK, machine_code.kind_of(as_dtype(declared.dtype)))


def _require(builder: Any, found: Any, mask: int, value: int) -> None:
    with builder.if_then(builder.icmp_signed("!=", builder.and_(found, COUNT(mask)), COUNT(value))):
        builder.ret(COUNT(0))


def _array(builder: Any, context: Any, address: Any, declared: Any) -> Any:
    """Return the array of Numba for an array object of NumPy."""
    made = context.make_array(declared)(context, builder)
    data, shape, strides = (
        _field(builder, address, field) for field in (machine_code.DATA, machine_code.SHAPE, machine_code.STRIDES)
    )
    context.populate_array(
        made,
        data=builder.inttoptr(data, made.data.type),
        shape=[_field(builder, shape, 8 * axis) for axis in range(declared.ndim)],
        strides=[_field(builder, strides, 8 * axis) for axis in range(declared.ndim)],
        itemsize=context.get_constant(numba.intp, context.get_abi_sizeof(context.get_data_type(declared.dtype))),
        meminfo=None,
    )
    return made._getvalue()


def _check(library: Any) -> None:
    """Refuse code that calls anything but instructions of the processor, or that may raise."""
    module = library._final_module
    called = [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")]
    called += [each.name for each in module.global_variables if each.is_declaration or "picklebuf" in each.name]
    if called:
        raise ValueError(f"{library.name} needs {', '.join(called)}")
