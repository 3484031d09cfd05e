"""The observer of the common case, one call with the data of the case, and helpers of others."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe

_READ = ("__iter__", "__getitem__", "__len__")


def rows_as_tuples(value: Any) -> Any:
    """A list with each list in it as a tuple, which JSON does not have; anything else as it is."""
    if not isinstance(value, list):
        return value
    return [tuple(row) if isinstance(row, list) else row for row in value]


def attempt(
    call: Callable[[], Any], fits: Callable[[BaseException], bool]
) -> tuple[Any, BaseException | None]:
    """What `call` gave, or the exception that left the answer in it, if that fits as a fact."""
    try:
        return call(), None
    except Exception as error:
        inner = error.__cause__ or error  # a `Runner` wraps what leaves an answer
        if not fits(inner):
            raise
        return None, inner


def settled(result: Any) -> Any:
    """A dict, list or tuple of an answer's own class, and those in it, as plain ones.

    To be called where an answer is still looked at: such a class can put work off until it is read.
    One that cannot be read gives an object of no use.
    """
    kind = next((kind for kind in (dict, list, tuple) if isinstance(result, kind)), None)
    if kind is None:
        return result
    try:
        if kind is dict:
            return {key: settled(value) for key, value in result.items()}
        own, items = type(result), map(settled, result)
        if kind is tuple and all(getattr(own, name) is getattr(tuple, name) for name in _READ):
            return tuple.__new__(own, items)  # a namedtuple stays one
        return kind(items)
    except Exception:
        return object()


def entries(model: Any, front: str = "") -> Iterator[tuple[str, Any]]:
    """Name and tensor of each parameter and buffer of a module, whatever its own methods say."""
    held = vars(model)
    for name, tensor in (held["_parameters"] | held["_buffers"]).items():
        if tensor is not None:
            yield front + name, tensor
    for name, part in held["_modules"].items():
        yield from entries(part, f"{front}{name}.")


def _itself(value: Any) -> Any:
    return value


class OneCall(Observer):
    """Facts: `result`, described, and `changed`, the names of the inputs that are not as before.

    parameters: the names of the answer's parameters, where a handwritten judge has no answer to
        take them from. The data of a case has them as keys.
    make: what turns a value of the data into the object that the answer gets: one function for all
        parameters, or one for each that needs it.
    """

    needs_devices = False

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
        """Whether the answer gets something else for this parameter than the data hold."""
        return name in self._make if isinstance(self._make, Mapping) else self._make is not _itself

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """Call the answer; a subclass may look on."""
        return answer(*inputs)

    def _made(self, name: str, value: Any) -> Any:
        if isinstance(self._make, Mapping):
            return self._make.get(name, _itself)(value)
        return self._make(value)
