"""What the observers of this topic share: a model and a loader that take notes."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from course_utils.experiments.copies import Copies, Route

_Totals = tuple[dict[Route, int], int]


class Noting(nn.Module):
    """A linear model that notes each run: its device, and the first number of every sample."""

    def __init__(self, inputs: int, outputs: int, notes: "Notes") -> None:
        super().__init__()
        # Named so that the prefix of a wrapper occurs inside the name as well.
        self.linear_module = nn.Linear(inputs, outputs)
        self._notes = notes

    def forward(self, x: Tensor) -> Tensor:
        """The outputs for samples of shape (samples, inputs)."""
        with self._notes.unseen():
            tags = x.detach()[:, 0].tolist()
        self._notes.runs.append([str(x.device), tags, self.training])
        return self.linear_module(x)


class Notes:
    """What the model and the loader of one call saw.

    runs: [device, tags, training] of each run of the model, in order. epochs: for each pass over
    the loader its batches, as lists of tags. steps: what was copied for each batch.
    """

    def __init__(self) -> None:
        self.copies = Copies()
        self.runs: list[Any] = []
        self.epochs: list[list[list[float]]] = []
        self.steps: list[dict[str, Any]] = []

    @contextlib.contextmanager
    def unseen(self) -> Iterator[None]:
        """Reading a value is a copy, too; ours does not count."""
        copies = self.copies
        before = copies.by_route.copy(), copies.bytes_by_route.copy(), copies.numbers_read
        yield
        copies.by_route, copies.bytes_by_route, copies.numbers_read = before


class Killed(BaseException):
    """Ends a run as a power failure would. No `except Exception` catches it."""


class NotingLoader(DataLoader[Any]):
    """A DataLoader that notes its batches, and may be killed in the middle of an epoch.

    kill: (epoch, batch), both counted from 1 over the passes of this loader, or None.
    """

    def __init__(
        self,
        x: Tensor,
        y: Tensor,
        batch_size: int,
        notes: Notes,
        *,
        shuffle: bool = False,
        kill: Sequence[int] | None = None,
    ) -> None:
        super().__init__(TensorDataset(x, y), batch_size, shuffle=shuffle)
        self._notes, self._kill = notes, kill

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # torch names a private class
        notes = self._notes
        notes.epochs.append([])
        epoch = len(notes.epochs)
        for number, batch in enumerate(super().__iter__(), start=1):
            if self._kill and [epoch, number] == list(self._kill):
                raise Killed
            notes.epochs[-1].append(batch[0][:, 0].tolist())
            before = _totals(notes.copies)
            yield batch
            notes.steps.append(_since(before, _totals(notes.copies)))


def _totals(copies: Copies) -> _Totals:
    return dict(copies.bytes_by_route), copies.numbers_read


def _since(before: _Totals, after: _Totals) -> dict[str, Any]:
    """Bytes by GPU from the CPU, and how often something came back: tensors' bytes, numbers."""
    moved = {route: n - before[0].get(route, 0) for route, n in after[0].items()}
    return {
        "to": {target: n for (source, target), n in moved.items() if source == "cpu" and n},
        "back": sum(n for (_, target), n in moved.items() if target == "cpu"),
        "read": after[1] - before[1],
    }
