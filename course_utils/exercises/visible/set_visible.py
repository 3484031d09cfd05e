"""Observe `visible.set_visible`."""

from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.visible.material import VARIABLE, same_environment


class Environment(UserDict[str, str]):
    """A mapping that takes texts only, with the words of `os.environ` (CPython's `os.py`)."""

    def __setitem__(self, name: str, value: str) -> None:
        for text in (name, value):
            if not isinstance(text, str):
                raise TypeError(f"str expected, not {type(text).__name__}")
        super().__setitem__(name, value)


class SetVisible(Observer):
    """Facts: what was returned or refused, and the mapping afterwards."""

    name = "visible.set_visible"
    parameters = ("gpus", "override", "env")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        gpus, env = _numbers(data["gpus"], data["numpy"]), Environment(data["env"])
        facts: dict[str, Any] = {"refused": False}
        with same_environment() as written:
            try:
                facts["returned"] = describe(answer(gpus, data["override"], env))
            except Exception as error:
                # The engine wraps what leaves an answer; a ValueError can be asked for here.
                if type(error.__cause__ or error) is not ValueError:
                    raise
                facts["refused"] = True
        return facts | {
            "value": describe(env.data.get(VARIABLE)),
            "others": {name: value for name, value in env.data.items() if name != VARIABLE}
            == {name: value for name, value in data["env"].items() if name != VARIABLE},
            "own": VARIABLE in written,
            "kept": gpus == _numbers(data["gpus"], data["numpy"]),
        }


def _numbers(gpus: Sequence[Any], as_numpy: bool) -> list[Any]:
    return [numpy.int64(gpu) if as_numpy else gpu for gpu in gpus]
