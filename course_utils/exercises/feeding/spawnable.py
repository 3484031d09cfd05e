"""Observe `feeding.spawnable`: send the dataset to two workers, as spawn would, and use them.

No process is started: what makes the difference is the pickle. A class that was defined in a
notebook's cell counts as importable, as it would be in a file.
"""

import io
import pickle
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.feeding.material import raised_text
from course_utils.experiments.copies import count_copies


class Spawnable(Observer):
    """Facts: the items of the dataset and of its copies in the workers, and what stopped them."""

    name = "feeding.spawnable"
    parameters = ("path", "width", "scale")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "records.bin"
            path.write_bytes(b"".join(bytes(record) for record in data["records"]))
            dataset = answer(str(path), len(data["records"][0]), data["scale"])
            facts: dict[str, Any] = {
                "returned": describe(dataset),
                "local_class": "<locals>" in type(dataset).__qualname__,
            }
            # After each step it is clear how far the dataset has come.
            steps = (_use_first, _send, _use_copies)
            state: dict[str, Any] = {"dataset": dataset}
            with count_copies() as copies:
                for step in steps:
                    try:
                        facts |= step(state, data)
                    except (Exception, SystemExit) as error:  # of the dataset, not of `answer`
                        facts |= {"stopped": step.__name__, "error": raised_text(error)}
                        facts["original_works"] = _works(dataset)
                        break
            state.clear()
            return facts | {"cuda": any("cuda" in "".join(route) for route in copies.by_route)}


def _use_first(state: dict[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for the length, and for an item if the case says that the main process looks at one."""
    dataset = state["dataset"]
    facts = {"length": describe(len(dataset))}
    if data["used_first"]:
        facts["first"] = describe(dataset[0])
    return facts


def _send(state: dict[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    out = io.BytesIO()
    sender = _Sender(out)
    sender.dump(state["dataset"])
    state["copies"] = [_Receiver(out.getvalue(), sender.known).load() for _ in range(2)]
    return {"sent_bytes": len(out.getvalue())}


def _use_copies(state: dict[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Use both copies in turn, then the original."""
    workers = [*state["copies"], state["dataset"]]
    return {"items": [describe(workers[worker][number]) for worker, number in data["reads"]]}


def _works(dataset: Any) -> bool:
    """Whether the dataset gives an item in the main process."""
    try:
        dataset[0]
    except (Exception, SystemExit):
        return False
    return True


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
