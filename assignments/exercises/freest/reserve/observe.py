"""Observe `reserve`, while a second program reserves a card after each look at the folder.

In a case with `late`, it begins after so many looks.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from exercise_kit import Facts, Observer
from exercise_kit.observers import attempt

FIRST = "the first free one, or None"
A_PATH = "a path that ends in a UUID"
UNTOLD = "None, and a card is reserved"
LOOKS = ("stat", "lstat", "listdir", "scandir", "access")


class Reserve(Observer):
    """Facts: the `card` that was returned, compared with the first that nobody else has reserved,
    also by the second program; whether it is `shared` with this program, and whether a file has
    its name: `reserved`; how many `further` cards were reserved; or `escaped`, the type of an
    exception."""

    gpus = 0
    parameters = ("uuids", "locks")

    def prepare(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data of the case."""
        return dict(data)

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call."""
        with TemporaryDirectory() as folder:
            locks, second, late = Path(folder), set[str](), inputs["late"]
            for uuid in inputs["taken"]:
                (locks / uuid).touch()

            def looking(look: Callable[..., Any]) -> Callable[..., Any]:
                def looked(path: Any = ".", *args: Any, **options: Any) -> Any:
                    nonlocal late
                    try:
                        found = look(path, *args, **options)
                        return iter([*found]) if look is scandir else found
                    finally:
                        if str(path).startswith(folder):
                            late -= 1
                            if late < 0:
                                second.update(rival(folder, inputs["uuids"]))

                return looked

            scandir = os.scandir
            patches: dict[str, Any] = {name: looking(getattr(os, name)) for name in LOOKS}
            with mock.patch.multiple(os, **patches):
                card, error = attempt(
                    lambda: answer(list(inputs["uuids"]), locks),
                    lambda error: not isinstance(error, NotImplementedError),
                )
            if error:
                return {"escaped": type(error).__name__}
            is_card = isinstance(card, str) and card in inputs["uuids"]
            others = second | set(inputs["taken"])
            first = next((uuid for uuid in inputs["uuids"] if uuid not in others), None)
            own = {uuid for uuid in inputs["uuids"] if (locks / uuid).exists()} - others
            shown = UNTOLD if card is None and own else str(card)
            if shown.endswith(tuple(f"{os.sep}{uuid}" for uuid in inputs["uuids"])):
                shown = A_PATH
            return {
                "escaped": "none",
                "shared": is_card and card in second,
                "card": FIRST if card == first else shown,
                "reserved": card is None or (is_card and (locks / card).exists()),
                "further": sum(uuid != card for uuid in own),
            }


def rival(folder: str, uuids: list[str]) -> list[str]:
    """Reserve the first free card for the second program; returns its UUID in a list."""
    for uuid in uuids:
        try:
            os.close(os.open(os.path.join(folder, uuid), os.O_CREAT | os.O_EXCL))
        except OSError:
            continue
        return [uuid]
    return []


observer = Reserve()
