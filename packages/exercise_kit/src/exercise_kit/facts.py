"""Facts about Python objects as JSON, and short texts made from them.

`describe` runs in the process of the learner's code. All other functions here use its JSON result.
It describes objects of torch and NumPy if these are loaded, and imports neither.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeGuard

_DEEPEST = 12
_MOST_ITEMS = 200
_MOST_VALUES = 4096
_MOST_BITS = 1024  # Python refuses to convert very large numbers to strings


def describe(value: Any, _depth: int = 0) -> dict[str, Any]:
    """The type and content of `value` as JSON.

    Tensors have dtype, shape, device and up to 4096 values. Containers have their items, sets in
    sorted order. A NumPy number is described as a Python number, and a frozenset as a set. A
    subclass, an unknown type, or an object that raises errors has only its class name.
    """
    try:
        return _describe(value, _depth)
    except Exception:  # a namedtuple whose iteration raises, a tensor without plain values, …
        return _other(value)


def raised_text(error: BaseException) -> str:
    """The type and text of an exception, as in `RuntimeError: Expected all tensors …`."""
    return f"{name_of(type(error))}: {text_of(error)[:2000]}"


name_of: Callable[[type], str] = vars(type)["__name__"].__get__
"""The name of a class, even if its metaclass defines another one."""


def text_of(value: object) -> str:
    """`str(value)`, or "" if its `__str__` or `__repr__` raises an error."""
    try:
        return str(value)
    except Exception:
        return ""


def _other(value: Any) -> dict[str, Any]:
    return {"type": "other", "class": name_of(type(value))}


def _describe(value: Any, depth: int) -> dict[str, Any]:
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy and isinstance(value, numpy.bool_ | numpy.integer | numpy.floating):
        value = value.item()
    kind = type(value)
    if kind is int and value.bit_length() > _MOST_BITS:
        return _other(value)
    if value is None or kind in (bool, int, float, str):
        return {"type": kind.__name__, "value": value}
    if torch and kind in (torch.Tensor, torch.nn.Parameter):
        return _describe_tensor(value, torch)
    if torch and kind in (torch.device, torch.dtype):
        return {"type": kind.__name__, "value": str(value)}
    if kind in (set, frozenset) and len(value) <= _MOST_ITEMS:
        items = [describe(item, depth + 1) for item in value]
        return {"type": "set", "items": sorted(items, key=str)}
    if kind in (tuple, list, dict) or _is_namedtuple(kind):
        return _describe_container(value, kind, depth)
    return _other(value)


def _describe_tensor(tensor: Any, torch: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "type": "Tensor",
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "device": str(tensor.device),
    }
    if tensor.shape.numel() <= _MOST_VALUES and tensor.device.type != "meta":
        # From the class, because an answer can give the tensor its own `detach`.
        values = torch.Tensor.detach(tensor).cpu().to_dense().resolve_conj()
        # JSON has no complex numbers, so they become pairs of real and imaginary part.
        facts["values"] = (torch.view_as_real(values) if values.is_complex() else values).tolist()
    return facts


def _describe_container(value: Any, kind: type, depth: int) -> dict[str, Any]:
    if depth >= _DEEPEST or len(value) > _MOST_ITEMS:
        return {"type": "other", "class": f"{kind.__name__} too large or too deep to show"}
    if kind is dict:
        return {
            "type": "dict",
            "keys": [describe(key, depth + 1) for key in value],
            "items": [describe(item, depth + 1) for item in value.values()],
        }
    facts: dict[str, Any] = {
        "type": kind.__name__,
        "items": [describe(item, depth + 1) for item in value],
    }
    if _is_namedtuple(kind):
        facts |= {"type": "namedtuple", "class": kind.__name__, "fields": list(kind._fields)}
    return facts


def _is_namedtuple(kind: type) -> TypeGuard[type[NamedTuple]]:
    plain = kind.__bases__ == (tuple,) and getattr(kind, "__iter__", None) is tuple.__iter__
    return plain and isinstance(getattr(kind, "_fields", None), tuple)


def is_described(value: Any) -> bool:
    """Whether a fact is the result of `describe`."""
    return isinstance(value, Mapping) and isinstance(value.get("type"), str)


def told(value: Any, digits: int = 17) -> str:
    """A fact as one line: described objects as in `brief`, other JSON as in Python.

    digits: the maximum number of significant digits of a float.
    """
    if is_described(value):
        return brief(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {told(v, digits)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(told(item, digits) for item in value)}]"
    return repr(float(f"{value:.{digits}g}")) if isinstance(value, float) else repr(value)


def brief(facts: Mapping[str, Any]) -> str:
    """A described object as one line: `(tensor([1., 2.], device='cuda:1'), 3)`."""
    kind = facts["type"]
    if kind == "Tensor":
        return _brief_tensor(facts)
    if kind == "other":
        return f"<{facts['class']}>"
    if kind == "device":
        return f"device('{facts['value']}')"
    if kind == "dtype":
        return facts["value"]
    if "items" not in facts:
        return repr(facts["value"])
    items = [brief(item) for item in facts["items"]]
    if kind == "dict":
        keys = [brief(key) for key in facts["keys"]]
        return "{" + ", ".join(f"{k}: {v}" for k, v in zip(keys, items, strict=True)) + "}"
    if kind == "list":
        return f"[{', '.join(items)}]"
    if kind == "set":
        return f"{{{', '.join(items)}}}" if items else "set()"
    if kind == "namedtuple":
        named = zip(facts["fields"], items, strict=True)
        return f"{facts['class']}({', '.join(f'{name}={item}' for name, item in named)})"
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _brief_tensor(facts: Mapping[str, Any]) -> str:
    content = str(facts.get("values", "…"))
    if len(content) > 60:
        content = told(facts["values"], 6)
    if len(content) > 60:
        content = f"shape {tuple(facts['shape'])}"
    notes = "" if facts["dtype"] in ("float32", "int64", "bool") else f", dtype={facts['dtype']}"
    return f"tensor({content}, device='{facts['device']}'{notes})"
