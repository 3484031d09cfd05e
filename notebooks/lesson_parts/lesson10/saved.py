"""The tensors in a file of `torch.save`, with their location tags. Nothing in the file is run."""

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from os import PathLike
from typing import IO, Any

from torch.serialization import StorageType


@dataclass(frozen=True)
class TaggedTensor:
    """A tensor in a file: the location tag of its storage, and its size in bytes."""

    tag: str
    nbytes: int


def saved_in(path: str | PathLike[str]) -> Any:
    """The content of the file, with a `TaggedTensor` in place of each tensor."""
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        with archive.open(name) as pickled:
            return _Reader(pickled).load()


def tensors_of(content: Any, name: str = "") -> Iterator[tuple[str, TaggedTensor]]:
    """Each tensor in a content of dicts, lists and tuples, with the last key that leads to it."""
    if isinstance(content, TaggedTensor):
        yield name, content
    elif isinstance(content, Mapping):
        for key, value in content.items():
            yield from tensors_of(value, str(key))
    elif isinstance(content, list | tuple):
        for value in content:
            yield from tensors_of(value, name)


class _Reader(pickle.Unpickler):
    """Makes a `TaggedTensor` of each tensor; other classes and functions are empty ones."""

    def __init__(self, pickled: IO[bytes]) -> None:
        super().__init__(pickled)

    def persistent_load(self, pid: Any) -> tuple[str, int]:
        """The tag of a storage, and the size of one value in bytes."""
        _, kind, _, tag, _ = pid
        width = 1  # the size of an untyped storage is in bytes
        with suppress(KeyError):
            width = StorageType(kind.__name__).dtype.itemsize
        return tag, width

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if module == "torch._utils" and name in ("_rebuild_tensor_v2", "_rebuild_parameter"):
            return globals()[name]
        return type(name, (_Unknown,), {})


def _rebuild_tensor_v2(
    storage: tuple[str, int], _: int, size: tuple[int, ...], *__: Any
) -> TaggedTensor:
    tag, width = storage
    return TaggedTensor(tag, width * prod(size))


def _rebuild_parameter(data: TaggedTensor, *_: Any) -> TaggedTensor:
    return data


class _Unknown:
    """Replaces an object whose class is not looked up."""

    def __init__(self, *_: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        pass
