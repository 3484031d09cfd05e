"""Observe `prefetch`: what is asked for, copied and handed out, in which stream and in which order.

On virtual GPUs the clock also tells what overlapped, and what used memory without waiting for it.
On real GPUs neither can be seen reliably; there, facts about waiting have to do.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from course_utils.devices import current_lab
from course_utils.experiments.recording import host_works, record
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text

_aten = torch.ops.aten
_SPARE = 3  # batches taken at most beyond those that there are
_LOADING = 20.0  # µs for each batch
_STEP = 400_000  # cycles: a training step takes longer than the copies of a batch
_ROWS, _COLUMNS = 256, 1024  # of the inputs, 1 MiB; the targets are small


class Prefetch(Observer):
    """Facts: `log`, `got`, `kept`, and on virtual GPUs `overlap` and `copying` (µs) and `hazards`.

    Events of the log: ["asked", number] and ["ended"] of the loader, ["copy", target, non_blocking,
    in_training_stream, behind], ["pinned"], ["waited"], and, where a batch is handed out,
    ["got", number, awaited, switched]. behind: whether the copy waits for all that was trained.
    awaited: how many copies, from the first, the training waits for. kept: for each tensor,
    whether `record_stream` told that the training uses it.
    """

    parameters = ("loader", "device")
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        batches = [_build(batch, inputs) for batch in inputs["batches"]]
        device = torch.device(inputs["device"])
        training = torch.cuda.Stream(device) if inputs["own_stream"] else None
        with ExitStack() as stack:
            trace = None
            recording = None
            if _virtual():
                import virtual_cuda

                recording = stack.enter_context(record(device))
                trace = virtual_cuda.clock().trace
            stack.enter_context(torch.cuda.stream(training))
            watch = stack.enter_context(_Watch(device))
            given = answer(_Loader(batches, watch.log), device)
            taken = _take(given, len(batches) + _SPARE, watch, inputs["host_waits"])
        # Looked into only now: for this, tensors of a GPU are copied.
        kept = [
            [watch.is_kept(t) for t in batch if isinstance(t, Tensor)]
            for batch in taken["got"]
            if isinstance(batch, list | tuple)
        ]
        return {**taken, "got": [_described(batch) for batch in taken["got"]]} | {
            "log": watch.log,
            "kept": kept,
            "hazards": [str(hazard) for hazard in trace.hazards] if trace else None,
            "overlap": recording.overlap() if recording else None,
            "copying": recording.busy("copies") if recording else None,
        }


def _virtual() -> bool:
    lab = current_lab()
    return lab is not None and lab.kind == "virtual"


def _build(batch: Sequence[Any], inputs: Mapping[str, Any]) -> Any:
    """Inputs full of one number, with another one at the end, and the targets."""
    first, last, targets = batch
    large = torch.full((_ROWS, _COLUMNS), float(first))
    large[-1, -1] = last
    tensors = [large, *(torch.tensor(values) for values in targets)]
    if inputs["pinned"]:
        tensors = [tensor.pin_memory() for tensor in tensors]
    return tensors if inputs["form"] == "list" else tuple(tensors)


def _described(batch: Any) -> Any:
    """Of each tensor, where it is and how it begins and ends."""
    if not isinstance(batch, list | tuple):
        return describe(batch)
    return [
        {
            "device": str(item.device),
            "dtype": str(item.dtype),
            "shape": list(item.shape),
            "ends": item.flatten()[[0, -1]].tolist(),
        }
        if isinstance(item, Tensor) and item.numel()
        else describe(item)
        for item in batch
    ]


class _Loader:
    """Gives its batches once, in order, and notes when it is asked. It has no length."""

    def __init__(self, batches: Sequence[Any], log: list[Any]) -> None:
        self._batches, self._log = batches, log

    def __iter__(self) -> Iterator[Any]:
        for number, batch in enumerate(self._batches):
            self._log.append(["asked", number])
            host_works(_LOADING)
            yield batch
        self._log.append(["ended"])


def _take(given: Any, most: int, watch: "_Watch", host_waits: bool) -> dict[str, Any]:
    """Take the batches one by one, and train on each."""
    got: list[Any] = []
    try:
        iterator = iter(given)
    except TypeError:
        return {"returned": describe(given), "got": got}
    try:
        while len(got) < most:
            batch = next(iterator)
            watch.hand_out(len(got))
            got.append(batch)
            with torch.cuda.stream(watch.training), watch.outside():
                for tensor in batch if isinstance(batch, list | tuple) else ():
                    if isinstance(tensor, Tensor) and tensor.is_cuda:
                        tensor + tensor
                torch.cuda._sleep(_STEP)
                if host_waits:
                    watch.training.synchronize()
            watch.trained()
    except StopIteration:
        pass
    except (Exception, SystemExit) as error:  # of the generator, which the engine cannot know
        return {"raised": raised_text(error), "got": got}
    return {"got": got}


def _id(stream: Any) -> tuple[int, int]:
    """A stream reaches an operator as a `torch.Stream`, which equals no `torch.cuda.Stream`."""
    return stream.device_index, stream.stream_id


class _Watch(TorchDispatchMode):
    """Notes copies, pinning and waiting of all kinds. The training's stream is the current one."""

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self.log: list[Any] = []
        self.training = torch.cuda.current_stream(device)
        self._device = device
        self._quiet = False
        self._copies: dict[Any, set[int]] = defaultdict(set)  # stream -> the copies in it
        self._recorded: dict[int, tuple[Any, set[int], int]] = {}
        self._awaited: set[int] = set()
        self._steps = 0
        self._known_steps: dict[Any, int] = defaultdict(int)  # stream -> steps it waits for
        self._kept: set[int] = set()
        self._alive: list[Any] = []  # so that no id is given twice
        self._patches = ExitStack()

    def __enter__(self) -> "_Watch":
        event = torch.cuda.Event
        for owner in (torch.cuda, torch.cuda.Stream, event):
            self._patch(owner, "synchronize", self._note_waiting)
        self._patch(event, "record", self._note_record)
        self._patch(event, "wait", self._note_wait)
        super().__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        super().__exit__(*exception)
        self._patches.close()

    def _patch(self, owner: Any, name: str, note: Callable[..., None]) -> None:
        genuine = getattr(owner, name)

        def noted(*args: Any, **kwargs: Any) -> Any:
            if not self._quiet:
                note(*args, **kwargs)
            return genuine(*args, **kwargs)

        self._patches.enter_context(patch.object(owner, name, noted))

    def outside(self) -> ExitStack:
        """While the training itself runs, nothing is noted."""
        self._quiet = True
        stack = ExitStack()
        stack.callback(setattr, self, "_quiet", False)
        return stack

    def hand_out(self, number: int) -> None:
        done = 0
        while done in self._awaited or done in self._copies[self.training]:
            done += 1
        switched = torch.cuda.current_stream(self._device) != self.training
        self.log.append(["got", number, done, switched])

    def trained(self) -> None:
        self._steps += 1

    def is_kept(self, tensor: Tensor) -> bool:
        return tensor.untyped_storage()._cdata in self._kept

    def _note_waiting(self, *_args: Any) -> None:
        self.log.append(["waited"])

    def _note_record(self, event: Any, stream: Any = None) -> None:
        stream = torch.cuda.current_stream() if stream is None else stream
        steps = self._steps if stream == self.training else self._known_steps[stream]
        self._recorded[id(event)] = stream, set(self._copies[stream]), steps
        self._alive.append(event)

    def _note_wait(self, event: Any, stream: Any = None) -> None:
        stream = torch.cuda.current_stream() if stream is None else stream
        if id(event) not in self._recorded:
            return
        _, copies, steps = self._recorded[id(event)]
        self._known_steps[stream] = max(self._known_steps[stream], steps)
        if stream == self.training:
            self._awaited |= copies

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if self._quiet:
            return result
        if func is _aten._to_copy.default:
            self._note_copy(args[0], result, kwargs.get("non_blocking", False))
        elif func is _aten.copy_.default:
            flag = args[2] if len(args) > 2 else kwargs.get("non_blocking")
            self._note_copy(args[1], args[0], flag)
        elif func is _aten._pin_memory.default:
            self.log.append(["pinned"])
        elif func is _aten.record_stream.default and _id(args[1]) == _id(self.training):
            self._kept.add(args[0].untyped_storage()._cdata)
        return result

    def _note_copy(self, source: Tensor, target: Tensor, non_blocking: Any) -> None:
        if source.device == target.device:
            return
        stream = torch.cuda.current_stream(self._device)
        number = sum(event[0] == "copy" for event in self.log)
        self._copies[stream].add(number)
        behind = stream == self.training or self._known_steps[stream] == self._steps
        self.log.append(
            ["copy", str(target.device), bool(non_blocking), stream == self.training, behind]
        )
