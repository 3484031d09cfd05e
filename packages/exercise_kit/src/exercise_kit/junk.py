"""Invalid answers: every check must refuse them without failing itself."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

from exercise_kit.contract import Observer


class EqualToEverything:
    """An object that is equal to every object and has every attribute."""

    def __eq__(self, other: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The object itself, as each of its attributes is."""
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter([self])

    __hash__ = object.__hash__


def junk_answers(observer: Observer) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions with the right parameters and invalid results, each with a description."""
    values: dict[str, Callable[[], Any]] = {
        "returns None": lambda: None,
        "returns NaN": lambda: float("nan"),
        "returns an object equal to everything": EqualToEverything,
        "returns a generator": lambda: (number for number in range(3)),
        "returns its own type": lambda: object,
        "returns a very deep list": _deep_list,
        "returns True": lambda: True,
        "returns an empty text": lambda: "",
        "returns an empty dict": dict,
    }
    if torch := sys.modules.get("torch"):  # the exercise may be about tensors
        values |= {
            "returns a tensor of NaN": lambda: torch.full((3,), float("nan")),
            "returns a tensor of another dtype": lambda: torch.ones(3, dtype=torch.complex64),
            "returns an empty tensor": lambda: torch.empty(0),
            "returns a meta tensor": lambda: torch.empty(3, device="meta"),
        }
    for label, make in values.items():
        yield label, _constant(observer, make)
    yield "changes its inputs and returns the first", _vandal(observer)


def _constant(observer: Observer, make: Callable[[], Any]) -> Callable[..., Any]:
    return _with_parameters(observer, lambda arguments: make())


def _vandal(observer: Observer) -> Callable[..., Any]:
    def vandalise(arguments: list[Any]) -> Any:
        for argument in arguments:
            if isinstance(argument, list | dict):
                argument.clear()
            elif getattr(argument, "is_floating_point", bool)():
                argument.zero_()
        return arguments[0] if arguments else None

    return _with_parameters(observer, vandalise)


def _with_parameters(observer: Observer, respond: Callable[[list[Any]], Any]) -> Callable[..., Any]:
    """A function with exactly the parameters of the exercise."""
    names = ", ".join(observer.parameters)
    namespace: dict[str, Any] = {"respond": respond}
    exec(f"def answer({names}): return respond([{names}])", namespace)
    return namespace["answer"]


def _deep_list() -> list[Any]:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    return deep
