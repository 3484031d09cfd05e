"""Observe `spawnable`: send the dataset to two workers, as spawn would, and use them.

No process is started: what makes the difference is the pickle. A class that was defined at the top
of a notebook's cell counts as importable, as it would be in a file.
"""

import gc
import io
import pickle
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import raised_text


class Spawnable(Observer):
    """Facts: the items of the dataset and of its copies in the workers, or what stopped them."""

    parameters = ("path", "width", "scale")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        with tempfile.TemporaryDirectory() as folder, _watching_gpus() as on_gpus:
            made = [
                answer(str(_written(folder, name, inputs[name])), inputs["width"], inputs["scale"])
                for name in ("records", "others")
            ]
            trial = _Trial(*made, inputs)
            facts: dict[str, Any] = {
                "returned": describe(trial.dataset),
                "local_class": "<locals>" in type(trial.dataset).__qualname__,
            }
            # After each step it is clear how far the dataset has come.
            for step in (trial.use_first, trial.pack, trial.unpack, trial.use, trial.look_back):
                try:
                    facts |= step()
                except (Exception, SystemExit) as error:  # of the dataset, not of `answer`
                    facts |= {"stopped": step.__name__, "error": raised_text(error)}
                    facts["original_works"] = trial.original_works()
                    break
            trial.close()
            return facts | {"gpu_used": bool(on_gpus)}


class _Trial:
    """The way of one dataset to its workers and back, step by step."""

    def __init__(self, dataset: Any, other: Any, inputs: Mapping[str, Any]) -> None:
        self.dataset, self.other, self.inputs = dataset, other, inputs
        self.packed, self.known = b"", dict[str, Any]()
        self.copies: list[Any] = []

    def use_first(self) -> Facts:
        """Ask for the length, and for an item if the case says that the main process looks."""
        facts = {"length": describe(len(self.dataset))}
        if self.inputs["used_first"]:
            self.other[0]
            facts["first"] = describe(self.dataset[0])
        return facts

    def pack(self) -> Facts:
        self.packed, self.known = _pickled(self.dataset)
        return {"sent_bytes": len(self.packed)}

    def unpack(self) -> Facts:
        self.copies = [_Receiver(self.packed, self.known).load() for _ in range(2)]
        return {}

    def use(self) -> Facts:
        """Use both copies, the original and a dataset of another file in turn."""
        every = [*self.copies, self.dataset]
        items = []
        for worker, number in self.inputs["reads"]:
            self.other[number]
            items.append(describe(every[worker][number]))
        return {"items": items}

    def look_back(self) -> Facts:
        """What is kept of items that were read, in memory and in a second pickle."""
        kept = []
        for number in range(len(self.inputs["records"])):
            item = self.dataset[number]
            if isinstance(item, torch.Tensor):
                kept.append(weakref.ref(item))
            del item
        if any(item() is not None for item in kept):
            gc.collect()
        return {
            "items_kept": sum(item() is not None for item in kept),
            "sent_bytes_later": len(_pickled(self.dataset)[0]),
        }

    def original_works(self) -> bool:
        """Whether the dataset gives an item in the main process."""
        try:
            self.dataset[0]
        except (Exception, SystemExit):
            return False
        return True

    def close(self) -> None:
        """Let go of all datasets, and so of files that are open, before the folder goes."""
        self.dataset = self.other = None
        self.copies.clear()


def _written(folder: str, name: str, records: Sequence[Sequence[int]]) -> Path:
    path = Path(folder) / f"{name}.bin"
    path.write_bytes(b"".join(bytes(record) for record in records))
    return path


def _pickled(dataset: Any) -> tuple[bytes, dict[str, Any]]:
    """The pickle, and the classes and functions that it has by name."""
    out = io.BytesIO()
    sender = _Sender(out)
    sender.dump(dataset)
    return out.getvalue(), sender.known


class _Sender(pickle.Pickler):
    """Pickles; classes and functions of a notebook's cell go by name, as from a file."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.known: dict[str, Any] = {}

    def persistent_id(self, obj: Any) -> str | None:
        if not _is_found_by_name(obj):
            return None
        self.known[obj.__qualname__] = obj
        return obj.__qualname__


class _Receiver(pickle.Unpickler):
    def __init__(self, sent: bytes, known: Mapping[str, Any]) -> None:
        super().__init__(io.BytesIO(sent))
        self._known = known

    def persistent_load(self, pid: str) -> Any:
        return self._known[pid]


def _is_found_by_name(obj: Any) -> bool:
    """Whether a class or function stands at the top of the cell that it comes from."""
    if isinstance(obj, FunctionType):
        functions = [obj]
    elif isinstance(obj, type):
        functions = [value for value in vars(obj).values() if isinstance(value, FunctionType)]
    else:
        return False
    return any(f.__globals__.get(obj.__qualname__) is obj for f in functions)


@contextmanager
def _watching_gpus() -> Iterator[list[bool]]:
    """A list that is empty as long as nothing is computed or put on a GPU."""
    seen: list[bool] = []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
        ) -> Any:
            result = func(*args, **(kwargs or {}))
            tensors = [leaf for leaf in tree_leaves((args, result)) if hasattr(leaf, "is_cuda")]
            if not seen and any(tensor.is_cuda for tensor in tensors):
                seen.append(True)
            return result

    with Watch():
        yield seen


observer = Spawnable()
