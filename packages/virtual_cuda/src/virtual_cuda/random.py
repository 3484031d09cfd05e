"""Generators of virtual GPUs.

Like CUDA's Philox generator, a virtual one has a seed and an offset. Each kernel that draws numbers
starts from both and increases the offset. The numbers of a kernel come from a CPU generator whose
seed is mixed from the two. So one seed gives other numbers on ``cuda`` than on ``cpu``, and the
same numbers on every ``cuda:i``, as in real CUDA.
"""

from __future__ import annotations

import ctypes
import secrets
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .capturing import forbid

_MASK = (1 << 64) - 1
_DEFAULT_SEED = 67280421310721  # c10::detail / at::default_rng_seed_val
_STEP = 4  # the increase of the offset for each kernel; CUDA's own steps are multiples of it
_WORD = 8  # bytes of a seed or an offset in a state

# The C type; torch.Generator is replaced while virtual GPUs are on.
TorchGenerator = torch.Generator
_device = TorchGenerator.device.__get__


def _implementation(generator: torch._C.Generator) -> int:
    """The address of the ``GeneratorImpl``: the first field after the Python object header."""
    return ctypes.c_void_p.from_address(id(generator) + object.__basicsize__).value or 0


def _give_device(generator: torch._C.Generator, index: int) -> None:
    """Write ``cuda:index`` into the device field of the ``GeneratorImpl`` of a CPU generator.

    C++ compares this field, so that operators of the CPU refuse the generator. The field is found
    by its content (device type 0, no index), and checked through torch. If it is not found, only
    Python sees the device.
    """
    wanted = torch.device("cuda", index)
    for offset in range(16, 128, 8):
        field = (ctypes.c_int8 * 2).from_address(_implementation(generator) + offset)
        if tuple(field) == (0, -1):
            field[:] = [1, index]
            if _device(generator) == wanted:
                return
            field[:] = [0, -1]


def mixed_seed(seed: int, offset: int = 0) -> int:
    """The seed of a kernel's CPU generator, by splitmix64, different from the seed itself."""
    z = ((seed ^ 0xC0DA_0000_0000_0000) + 0x9E3779B97F4A7C15 * (offset // _STEP + 1)) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


@dataclass(eq=False)  # generators can share a state, which is then the same object
class State:
    """The state of a generator: its seed and its offset."""

    seed: int
    offset: int = 0


class CudaGenerator(TorchGenerator):
    """A generator whose ``device`` is ``cuda:index``."""

    _index: int
    state: State
    _numbers: torch._C.Generator

    def __new__(cls, index: int) -> CudaGenerator:
        """A generator of a card, with CUDA's default seed."""
        generator = super().__new__(cls, "cpu")  # type: ignore[call-arg]
        _give_device(generator, index)
        _known[_implementation(generator)] = generator
        generator._index = index
        generator.state = State(_DEFAULT_SEED)
        generator._numbers = TorchGenerator("cpu")
        return generator

    def __init__(self, index: int) -> None:
        """Do nothing: ``__new__`` does everything, because the C type has no other arguments."""

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        """The generator's card."""
        return torch.device("cuda", self._index)

    def draw(self, draws: bool = True) -> torch._C.Generator:
        """The CPU generator for the next kernel. draws: whether the kernel draws numbers."""
        state = self.state
        self._numbers.manual_seed(mixed_seed(state.seed, state.offset))
        if draws:
            state.offset += _STEP
        return self._numbers

    def manual_seed(self, seed: int) -> CudaGenerator:
        """Set the seed, with offset 0."""
        forbid("Cannot call CUDAGeneratorImpl::set_current_seed")
        self.state.seed, self.state.offset = int(seed) & _MASK, 0
        return self

    def initial_seed(self) -> int:
        """The seed."""
        forbid("Cannot call CUDAGeneratorImpl::current_seed")
        return self.state.seed

    def seed(self) -> int:
        """Set a random seed. Returns it."""
        forbid("Cannot call CUDAGeneratorImpl::seed")
        self.manual_seed(secrets.randbits(53))  # as many as c10 draws for CUDA
        return self.state.seed

    def get_offset(self) -> int:
        """The offset."""
        forbid("Cannot call CUDAGeneratorImpl::get_offset")
        return self.state.offset

    def set_offset(self, offset: int) -> CudaGenerator:
        """Set the offset, a multiple of 4."""
        forbid("Cannot call CUDAGeneratorImpl::set_offset")
        if offset % _STEP:
            raise RuntimeError("offset must be a multiple of 4")
        self.state.offset = offset
        return self

    def get_state(self) -> Tensor:
        """Sixteen bytes on the CPU: the seed and the offset."""
        words = (self.initial_seed(), self.state.offset)
        state = b"".join(word.to_bytes(_WORD, "little") for word in words)
        return torch.frombuffer(bytearray(state), dtype=torch.uint8)

    def set_state(self, new_state: Tensor) -> CudaGenerator:
        """Set the seed, and the offset if present, from bytes."""
        forbid(
            "Please ensure to utilize the CUDAGeneratorImpl::set_state_index method during "
            "capturing."
        )
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        if new_state.device.type != "cpu" or new_state.dtype is not torch.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        state = bytes(new_state.tolist())
        if len(state) not in (_WORD, 2 * _WORD):
            raise RuntimeError("RNG state is wrong size")
        self.manual_seed(int.from_bytes(state[:_WORD], "little"))
        return self.set_offset(int.from_bytes(state[_WORD:], "little"))

    def clone_state(self) -> CudaGenerator:
        """A new generator with a copy of the state."""
        return CudaGenerator(self._index).set_state(self.get_state())

    def graphsafe_get_state(self) -> CudaGenerator:
        """A generator that shares the state of this one."""
        return CudaGenerator(self._index).graphsafe_set_state(self)

    def graphsafe_set_state(self, new_state: CudaGenerator) -> CudaGenerator:  # type: ignore[override]
        """Share the state of another generator."""
        self.state = new_state.state
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return CudaGenerator, (self._index,), self.get_state()

    def __setstate__(self, state: Tensor) -> None:  # type: ignore[override]
        self.set_state(state)

    def __deepcopy__(self, memo: dict[int, Any]) -> CudaGenerator:
        return self.clone_state()


# By the address of their implementation: C++ returns a generator as a plain torch.Generator, which
# only its implementation identifies.
_known: weakref.WeakValueDictionary[int, CudaGenerator] = weakref.WeakValueDictionary()


def is_virtual(generator: torch._C.Generator) -> bool:
    """Whether a generator belongs to a virtual card."""
    return _implementation(generator) in _known


def virtual(generator: torch._C.Generator) -> CudaGenerator:
    """A card's generator, from the plain torch.Generator that C++ returns for it."""
    return _known[_implementation(generator)]


def draw(generator: torch._C.Generator, draws: bool = True) -> torch._C.Generator:
    """The CPU generator for the next kernel with a card's generator."""
    return virtual(generator).draw(draws)


@contextmanager
def drawing_from(states: dict[CudaGenerator, State]) -> Iterator[None]:
    """Let generators draw from these states within the block."""
    own = {generator: generator.state for generator in states}
    for generator, state in states.items():
        generator.state = state
    try:
        yield
    finally:
        for generator, state in own.items():
            generator.state = state
