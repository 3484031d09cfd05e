"""Observe `feeding.prefetch`: what is asked, copied and handed out, in the order in which it is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.devices import current_lab
from course_utils.exercises.feeding.material import build, raised_text, tensors_in

_aten = torch.ops.aten
_SPARE = 3  # batches taken at most beyond those that there are

Log = list[list[Any]]


class Prefetch(Observer):
    """Facts: a log of events, the batches that came out, and the loader's own batches afterwards.

    Events: ["asked", number] and ["ended"] of the loader, ["copy", source, target, non_blocking],
    ["pinned"], ["waited"], and ["got", number] where a batch is handed out.
    """

    name = "feeding.prefetch"
    parameters = ("loader", "device")
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        batches = [build(batch, data["pinned"]) for batch in data["batches"]]
        log: Log = []
        with ExitStack() as stack:
            trace = stack.enter_context(_tracing())
            stack.enter_context(_Watch(log))
            for owner in (torch.cuda, torch.cuda.Stream):
                waits = _noting(log, owner.synchronize)
                stack.enter_context(patch.object(owner, "synchronize", waits))
            given = answer(_Loader(batches, log), torch.device(data["device"]))
            taken = _take(given, len(batches) + _SPARE, log)
        hazards = [hazard.kind for hazard in trace.hazards] if trace else []
        # Described only now: to look into a tensor of a GPU, it has to be copied.
        return {**taken, "got": [describe(batch) for batch in taken["got"]]} | {
            "log": log,
            "after": [describe(batch) for batch in batches],
            "hazards": hazards,
        }


class _Loader:
    """Gives its batches once, in order, and notes when it is asked. It has no length."""

    def __init__(self, batches: Sequence[Any], log: Log) -> None:
        self._batches, self._log = batches, log

    def __iter__(self) -> Iterator[Any]:
        for number, batch in enumerate(self._batches):
            self._log.append(["asked", number])
            yield batch
        self._log.append(["ended"])


def _take(given: Any, most: int, log: Log) -> dict[str, Any]:
    """Take the batches one by one and use each, as a training would."""
    got: list[Any] = []
    try:
        iterator = iter(given)
    except TypeError:
        return {"returned": describe(given), "got": got}
    try:
        while len(got) < most:
            batch = next(iterator)
            log.append(["got", len(got)])
            got.append(batch)
            for tensor in tensors_in(batch):
                if tensor.is_cuda and tensor.numel():
                    tensor + tensor
    except StopIteration:
        pass
    except (Exception, SystemExit) as error:  # of the generator, which the engine cannot know
        return {"raised": raised_text(error), "got": got}
    return {"got": got}


def _tracing() -> Any:
    """A trace of the virtual GPUs, which tells what nobody waited for; nothing on real ones."""
    lab = current_lab()
    if lab is None or lab.kind == "real":
        return nullcontext()
    import virtual_cuda

    return nullcontext() if virtual_cuda.clock().trace is not None else virtual_cuda.trace()


def _noting(log: Log, wait: Callable[..., Any]) -> Callable[..., Any]:
    def waited(*args: Any, **kwargs: Any) -> Any:
        log.append(["waited"])
        return wait(*args, **kwargs)

    return waited


class _Watch(TorchDispatchMode):
    """Notes copies between devices, and memory that is pinned."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if func is _aten._to_copy.default:
            self._note(args[0], result, kwargs.get("non_blocking", False))
        elif func is _aten.copy_.default:
            self._note(args[1], args[0], args[2] if len(args) > 2 else kwargs.get("non_blocking"))
        elif func is _aten._pin_memory.default:
            self._log.append(["pinned"])
        return result

    def _note(self, source: Tensor, target: Tensor, non_blocking: Any) -> None:
        if source.device != target.device:
            places = str(source.device), str(target.device)
            self._log.append(["copy", *places, bool(non_blocking)])
