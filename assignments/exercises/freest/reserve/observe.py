"""Observe `reserve`, while a second program reserves a card after each look at the folder."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from exercise_kit import Facts, Observer
from exercise_kit.observers import attempt

LOOKS = ("stat", "lstat", "listdir", "scandir", "access")


class Reserve(Observer):
    """Facts: the `card` that was returned; whether it is `shared` with the second program; whether
    a file with its name is `reserved`; or `escaped`, the type of an exception."""

    needs_devices = False
    parameters = ("uuids", "locks")

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The data of the case."""
        return dict(data)

    def observe(self, answer: Any, inputs: Any) -> Facts:
        """The facts of one call."""
        with TemporaryDirectory() as folder:
            locks, second = Path(folder), set[str]()
            for uuid in inputs["taken"]:
                (locks / uuid).touch()

            def looking(look: Callable[..., Any]) -> Callable[..., Any]:
                def looked(path: Any = ".", *args: Any, **options: Any) -> Any:
                    try:
                        found = look(path, *args, **options)
                        return iter([*found]) if look is scandir else found
                    finally:
                        if str(path).startswith(folder):
                            second.update(rival(folder, inputs["uuids"]))

                return looked

            scandir = os.scandir
            patches = {name: looking(getattr(os, name)) for name in LOOKS}
            with mock.patch.multiple(os, **patches):
                card, error = attempt(
                    lambda: answer(list(inputs["uuids"]), locks),
                    lambda error: not isinstance(error, NotImplementedError),
                )
            if error:
                return {"escaped": type(error).__name__}
            is_card = isinstance(card, str) and card in inputs["uuids"]
            return {
                "escaped": "none",
                "shared": card in second if isinstance(card, str) else False,
                "card": str(card),
                "reserved": is_card and (locks / card).exists(),
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
