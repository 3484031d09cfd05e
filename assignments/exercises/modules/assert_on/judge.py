"""Judge `assert_on` by the first of the module's tensors, in torch's order, that is elsewhere."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit.contract import Case, Facts, Finding, Judge, Raise, Raises

from ..drawing import NO_DEVICE, short

Entry = dict[str, str]

_PARTS = ("encoder", "decoder", "stem", "neck", "trunk")


class AssertOn(Judge):
    raises = (*NO_DEVICE, Raises("no-parameter-to-ask", "StopIteration"))

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        one, two, three = some_parts(rng, 3)
        number = int(other[-1])
        spread = [*linear(one, gpu), *linear(two, other), *linear(three, "cpu")]
        rows: list[tuple[str, list[Entry], str, int]] = [
            ("the task's example", [*linear("0", "cuda:1"), *linear("1", "cpu")], "cuda:1", 0),
            ("everything in place", [*linear(one, gpu), *linear(two, gpu)], gpu, 0),
            ("one layer on another GPU", [*linear(one, gpu), *linear(two, other)], gpu, 0),
            ("several tensors elsewhere", spread, gpu, 0),
            ("a module that holds no tensor", [], gpu, 0),
            (
                "a buffer that was left behind",
                [entry(f"{one}.mean", "buffer", "cpu"), *linear(one, gpu), *linear(two, gpu)],
                gpu,
                0,
            ),
            (
                "a buffer and a later parameter elsewhere",
                [entry(f"{one}.mean", "buffer", "cpu"), *linear(two, other)],
                gpu,
                0,
            ),
            ("buffers only", [entry(f"{one}.mean", "buffer", other)], gpu, 0),
            (
                "a buffer outside the checkpoint",
                [*linear(one, gpu), entry(f"{two}.mask", "temporary", other)],
                gpu,
                0,
            ),
            (
                "a plain attribute elsewhere",
                [*linear(one, gpu), entry(f"{one}.table", "attribute", "cpu")],
                gpu,
                0,
            ),
            ("a module that is to be on the CPU", linear(one, "cpu"), "cpu", 0),
            (
                "a module that should be on the CPU and is not",
                [*linear(one, "cpu"), *linear(two, gpu)],
                "cpu",
                0,
            ),
            ("`cuda` without an index", linear(one, "cuda:0"), "cuda", 0),
            ("`cuda` while another GPU is the current one", linear(one, other), "cuda", number),
            (
                "`cuda`, and a tensor on a GPU that is not the current one",
                [*linear(one, other), *linear(two, "cuda:0")],
                "cuda",
                number,
            ),
        ]
        return [
            Case(title, {"module": entries, "device": device, "current": current})
            for title, entries, device, current in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        message, first = facts["message"], first_elsewhere(case.data)
        expected = _expected(case)
        if not facts["kept"]:
            return Finding("input-changed", "the module on other devices", "it where it was")
        if message is None:
            return first and Finding(_missed(case, first), "no error", expected)
        seen = short(f"ValueError: {message}")
        if first is None:
            return Finding(_needless(case), seen, expected)
        names = {e["name"] for e in registered(case.data["module"])}
        named = {name for name in names if _names(message, name)}
        if named == {first["name"]}:
            return None
        if first["name"] in named:
            return Finding("several-named", seen, expected)
        return Finding("not-the-first" if named else "name-missing", seen, expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        first = first_elsewhere(case.data)
        if first and (raised.type == "AssertionError" or _names(raised.text, first["name"])):
            seen = short(f"{raised.type}: {raised.text}")
            return Finding("other-error", seen, _expected(case))
        return super().on_raise(case, raised)


def first_elsewhere(data: Mapping[str, Any]) -> Mapping[str, str] | None:
    """The first registered entry that is not on the device, or None."""
    device = data["device"] if data["device"] != "cuda" else f"cuda:{data['current']}"
    return next((e for e in registered(data["module"]) if e["device"] != device), None)


def _expected(case: Case) -> str:
    first = first_elsewhere(case.data)
    wanted = f"a ValueError that names {first['name']}" if first else "no error"
    device, current = case.data["device"], case.data["current"]
    asked = f"{device} (current GPU: {current})" if device == "cuda" else device
    return f"{wanted}, for {asked} and {show_entries(case.data['module'])}"


def _names(message: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message) is not None


def _missed(case: Case, first: Mapping[str, str]) -> str:
    if first["kind"] == "temporary":
        return "checkpoint-asked"
    if first["kind"] == "buffer":
        return "buffers-missed"
    both_gpus = case.data["device"] != "cpu" and first["device"] != "cpu"
    return "index-ignored" if both_gpus else "not-raised"


def _needless(case: Case) -> str:
    entries, device = case.data["module"], case.data["device"]
    if device == "cuda":
        return "current-gpu-ignored" if case.data["current"] else "index-missing"
    if device == "cpu":
        return "cpu-refused"
    known = [e for e in entries if e["kind"] != "attribute"]
    return "raised-needlessly" if entries == known else "unregistered-counted"


def entry(name: str, kind: str, device: str) -> Entry:
    """One tensor of a module, of kind "parameter", "buffer", "temporary", "attribute", "listed"."""
    return {"name": name, "kind": kind, "device": device}


def linear(part: str, device: str) -> list[Entry]:
    """What a `Linear` called `part` holds."""
    return [entry(f"{part}.{leaf}", "parameter", device) for leaf in ("weight", "bias")]


def registered(entries: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """The parameters, then the buffers, in the order in which `torch` names them.

    That is the order of the submodules, each with its own tensors in turn.
    """
    parts = list(dict.fromkeys(e["name"].rpartition(".")[0] for e in entries))
    kinds = (("parameter",), ("buffer", "temporary"))
    return [
        e
        for wanted in kinds
        for part in parts
        for e in entries
        if e["kind"] in wanted and e["name"].rpartition(".")[0] == part
    ]


def some_parts(rng: random.Random, count: int) -> list[str]:
    """Names for submodules, all different."""
    return rng.sample(_PARTS, count)


def show_entries(entries: Sequence[Mapping[str, str]]) -> str:
    """What a module holds, on one line."""
    if not entries:
        return "a module that holds nothing"
    words = {"temporary": "unsaved buffer", "listed": "list of layers"}
    return ", ".join(
        f"{words.get(e['kind'], e['kind'])} {e['name']} on {e['device']}" for e in entries
    )
