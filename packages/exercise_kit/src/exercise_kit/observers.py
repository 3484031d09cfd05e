"""The observer for one call with the data of a case, and helpers for other observers."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe

_READ = ("__iter__", "__getitem__", "__len__")


def rows_as_tuples(value: Any) -> Any:
    """A list with its inner lists as tuples, which JSON does not have; other values unchanged."""
    if not isinstance(value, list):
        return value
    return [tuple(row) if isinstance(row, list) else row for row in value]


def attempt(
    call: Callable[[], Any], fits: Callable[[BaseException], bool]
) -> tuple[Any, BaseException | None]:
    """The result of `call`, and the exception of the answer if `fits` accepts it; one is None."""
    try:
        return call(), None
    except Exception as error:
        inner = error.__cause__ or error  # a `Runner` wraps the exception of an answer
        if not fits(inner):
            raise
        return None, inner


def settled(result: Any) -> Any:
    """A copy of a container whose dicts, lists and tuples of the answer's own classes are plain.

    Call it while the answer is still observed, because such a class can delay work until it is
    read. For a container that raises errors, the result is a plain object.
    """
    kind = next((kind for kind in (dict, list, tuple) if isinstance(result, kind)), None)
    if kind is None:
        return result
    try:
        if kind is dict:
            return {key: settled(value) for key, value in result.items()}
        own, items = type(result), map(settled, result)
        if kind is tuple and all(getattr(own, name) is getattr(tuple, name) for name in _READ):
            return tuple.__new__(own, items)  # a namedtuple keeps its class
        return kind(items)
    except Exception:
        return object()


def entries(model: Any, front: str = "") -> Iterator[tuple[str, Any]]:
    """Name and tensor of each parameter and buffer of a module, without calling its methods."""
    held = vars(model)
    for name, tensor in (held["_parameters"] | held["_buffers"]).items():
        if tensor is not None:
            yield front + name, tensor
    for name, part in held["_modules"].items():
        yield from entries(part, f"{front}{name}.")


def _itself(value: Any) -> Any:
    return value


class OneCall(Observer):
    """Facts: the described `result`, and `changed`, the names of the inputs that the call changed.

    parameters: the names of the answer's parameters, which are keys of a case's data. Only needed
        with a manually written judge; otherwise they come from the exercise's answer.
    make: makes the argument from a value of the data: one function for all parameters, or a dict
        with a function for some of them.
    """

    gpus: int | None = 0

    def __init__(
        self,
        *parameters: str,
        make: Callable[[Any], Any] | Mapping[str, Callable[[Any], Any]] = _itself,
        seconds: float = 5.0,
    ) -> None:
        self.parameters, self.seconds, self._make = parameters, seconds, make

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        """The arguments of the call, in the order of the parameters."""
        return [self._made(name, deepcopy(data[name])) for name in self.parameters]

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        before = [describe(value) for value in inputs]
        result = self.call(answer, inputs)
        pairs = zip(self.parameters, before, inputs, strict=True)
        changed = [name for name, old, value in pairs if describe(value) != old]
        return {"result": describe(result), "changed": changed}

    def makes(self, name: str) -> bool:
        """Whether `make` changes the value of this parameter."""
        return name in self._make if isinstance(self._make, Mapping) else self._make is not _itself

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The result of the answer. A subclass can override this to observe the call."""
        return answer(*inputs)

    def _made(self, name: str, value: Any) -> Any:
        if isinstance(self._make, Mapping):
            return self._make.get(name, _itself)(value)
        return self._make(value)
