"""Judge `module_devices`: the oracle reads the devices off what the module was made of."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, Raises
from course_utils.checking.oracle import OracleJudge, Rival

from ..judging import (
    NO_DEVICE,
    Entry,
    entry,
    linear,
    registered,
    show_entries,
    some_parts,
    two_gpus,
)

Entries = Sequence[Mapping[str, str]]


def _those(choose: Callable[[Mapping[str, str]], bool]) -> Callable[..., set[str]]:
    """A model that asks only some of the registered tensors."""
    return lambda module: {e["device"] for e in registered(module) if choose(e)}


def _of_an_empty_module(module: Entries, said: Any) -> Any:
    if registered(module):
        raise ValueError("the module holds something")
    return said


class ModuleDevices(OracleJudge):
    form, types, otherwise = "a set of strings", ("set",), "other-devices"
    raises = (*NO_DEVICE, Raises("empty-module", "StopIteration"))
    rivals = (
        Rival(
            "number-lost",
            lambda module: {e["device"].partition(":")[0] for e in registered(module)},
        ),
        Rival("nothing-collected", _those(lambda e: False)),
        Rival("submodules-missed", _those(lambda e: "." not in e["name"])),
        Rival("submodules-missed", _those(lambda e: e["name"].count(".") < 2)),
        Rival("own-tensors-missed", _those(lambda e: "." in e["name"])),
        Rival("buffers-missed", _those(lambda e: e["kind"] == "parameter")),
        Rival("checkpoint-asked", _those(lambda e: e["kind"] != "temporary")),
        Rival("one-parameter-asked", lambda module: {registered(module)[0]["device"]}),
        Rival("unregistered-counted", lambda module: {e["device"] for e in module}),
        Rival("empty-module", lambda module: _of_an_empty_module(module, {"cpu"})),
    )

    def oracle(self, module: Entries) -> set[str]:
        return {e["device"] for e in registered(module)}

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        entries = case.data["module"]
        finding = super().judge(case, facts)
        if finding is None or finding.name == "input-changed":
            return finding
        # Whoever returns something that is no set, of whatever module, has met an earlier case.
        name = finding.name if registered(entries) else "empty-module"
        return Finding(name, finding.seen, f"{finding.expected} for {show_entries(entries)}")

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        if any(item["type"] != "str" for item in seen["items"]):
            return "other-form"
        return super().explain(seen, data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        one, two, three = some_parts(rng, 3)

        def told(title: str, *findings: str, entries: list[Entry]) -> Case:
            return Case(title, self.telling(lambda: {"module": entries}, *findings))

        return [
            told(
                "the task's example",
                "one-parameter-asked",
                "number-lost",
                "nothing-collected",
                entries=[*linear("0", "cpu"), *linear("1", "cuda:1")],
            ),
            told("a module that holds no tensor", entries=[]),
            told(
                "a layer on another GPU than the first",
                "one-parameter-asked",
                "number-lost",
                entries=[*linear(one, gpu), *linear(two, other)],
            ),
            told(
                "a buffer that was left behind",
                "buffers-missed",
                entries=[*linear(one, gpu), entry(f"{one}.mean", "buffer", "cpu")],
            ),
            told(
                "a parameter away from its buffer",
                "buffers-missed",
                entries=[entry(f"{one}.mean", "buffer", gpu), *linear(two, other)],
            ),
            told("buffers only", entries=[entry(f"{one}.mean", "buffer", other)]),
            told(
                "a buffer outside the checkpoint",
                "checkpoint-asked",
                entries=[
                    *linear(one, gpu),
                    entry(f"{one}.mean", "buffer", "cpu"),
                    entry(f"{two}.mask", "temporary", other),
                ],
            ),
            told(
                "a tensor of the outermost module itself",
                "own-tensors-missed",
                entries=[entry("scale", "parameter", other), *linear(one, gpu)],
            ),
            told(
                "a layer deep inside",
                "submodules-missed",
                entries=[*linear(three, other), *linear(f"{one}.{two}.{three}", gpu)],
            ),
            told(
                "a plain attribute elsewhere",
                "unregistered-counted",
                entries=[*linear(one, gpu), entry(f"{one}.table", "attribute", other)],
            ),
            told(
                "layers in a Python list",
                "unregistered-counted",
                entries=[*linear(two, other), entry(f"{one}.layers", "listed", gpu)],
            ),
            told(
                "many tensors on three devices",
                entries=[
                    *linear(one, gpu),
                    entry(f"{one}.mean", "buffer", "cpu"),
                    *linear(two, other),
                    *linear(three, gpu),
                ],
            ),
            told(
                "everything on the CPU",
                entries=[*linear(one, "cpu"), entry(f"{two}.mean", "buffer", "cpu")],
            ),
        ]


judge = ModuleDevices()
