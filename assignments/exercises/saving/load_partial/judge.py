"""Judge `load_partial`: the model tensor by tensor, then the three lists of the report."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Raises
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

from ..judging import GPUS

Entry = Sequence[Any]
Report = dict[str, list[str]]

LISTS = ("missing", "unexpected", "mismatched")


def differences(model: Sequence[Entry], file: Sequence[Entry], *, kinds: str = "saved") -> Report:
    """The report. `kinds` says which of the model's tensors count; "saved" is right."""
    counted = {
        "saved": ("parameter", "buffer"),
        "parameters": ("parameter",),
        "all": ("parameter", "buffer", "unsaved buffer"),
    }[kinds]
    own = {key: shape for key, shape, _, kind in model if kind in counted}
    found = {key: shape for key, shape, _ in file}
    return {
        "missing": sorted(own.keys() - found),
        "unexpected": sorted(found.keys() - own),
        "mismatched": sorted(k for k in own.keys() & found if own[k] != found[k]),
    }


def _twice(*lists: str, kept: bool = True) -> Rival:
    """The mismatched keys stand in other lists, and perhaps not in their own."""

    def model(model: Sequence[Entry], file: Sequence[Entry], **_: Any) -> Report:
        report = differences(model, file)
        more = {name: sorted(report[name] + report["mismatched"]) for name in lists}
        return report | more | ({} if kept else {"mismatched": []})

    return Rival("mismatched-listed-elsewhere", model)


def _only(kinds: str, finding: str) -> Rival:
    return Rival(finding, lambda model, file, **_: differences(model, file, kinds=kinds))


def _swapped(model: Sequence[Entry], file: Sequence[Entry], **_: Any) -> Report:
    report = differences(model, file)
    return report | {"missing": report["unexpected"], "unexpected": report["missing"]}


def _without_mismatched(model: Sequence[Entry], file: Sequence[Entry], **_: Any) -> Report:
    return differences(model, file) | {"mismatched": []}


class LoadPartial(OracleJudge):
    form = "a dict with the keys missing, unexpected and mismatched, and a list under each"
    types, otherwise = ("dict",), "other-report"
    rivals = (
        _twice("missing"),
        _twice("unexpected"),
        _twice("missing", "unexpected"),
        _twice("missing", kept=False),
        _twice("unexpected", kept=False),
        _twice("missing", "unexpected", kept=False),
        Rival("mismatched-not-reported", _without_mismatched),
        Rival("sides-swapped", _swapped),
        _only("parameters", "buffers-forgotten"),
        _only("all", "unsaved-buffer-counted"),
    )
    raises = (
        Raises("shapes-always-raise", "RuntimeError", "size mismatch for"),
        Raises("shapes-not-compared", "RuntimeError", "must match the size"),
        Raises("shapes-not-compared", "RuntimeError", "match the broadcast shape"),
        Raises("strict-load", "RuntimeError", "key(s) in state_dict"),
        Raises("tag-followed", "RuntimeError", "Attempting to deserialize object"),
    )

    def oracle(self, **data: Any) -> Report:
        return differences(data["model"], data["file"])

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        if not facts["file"]:
            return Finding("file-changed", "other bytes, or no file", "the file as it was")
        if not facts["same"]:
            return Finding("parameters-replaced", "other objects", "the same parameter objects")
        finding = _judge_state(case.data, facts["state"])
        result = facts["result"]
        if finding is None and result["type"] == "dict":
            if {key.get("value") for key in result["keys"]} != set(LISTS):
                return Finding("other-form", clip(brief(result), 150), self.form)
            result = {**result, "items": [_ordered(item) for item in result["items"]]}
            if any(item["type"] != "list" for item in result["items"]):
                return Finding("other-form", clip(brief(result), 150), self.form)
        return finding or super().judge(case, {"result": result, "changed": []})

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 200)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        width, more, gpu = rng.randint(2, 4), rng.randint(5, 7), rng.choice(GPUS[1:])
        body = rng.choice(("body", "features", "trunk"))
        hidden, head, norm = _layer(body, width, width), _layer("head", 2, width), _norm(width)
        wider, older = _layer("head", more, width), _layer("old_head", 2, width)
        steps = [("steps", [], "buffer")]
        mask = [("mask", [width], "unsaved buffer")]
        scale, row = [("scale", [width], "parameter")], [("grid", [2, 3], "parameter")]
        small = [("weight", [1, 2], "parameter"), ("bias", [1], "parameter")]
        rows: list[tuple[str, Sequence[Entry], Sequence[Entry], Mapping[str, Any]]] = [
            ("the task's example", small, [small[0], ("bias", [3]), ("scale", [1])], {}),
            ("everything fits", hidden + norm + head, hidden + norm + head, {}),
            ("a new head with more outputs", hidden + wider, hidden + head, {}),
            ("a head that the file lacks", hidden + head, hidden, {}),
            ("a head that the model does not have", hidden, hidden + head, {}),
            ("a head under another name", hidden + head, hidden + older, {}),
            ("buffers that the file lacks", hidden + norm + steps, hidden + norm[:2], {}),
            ("buffers of another shape", hidden + _norm(more), hidden + norm, {}),
            ("a buffer that the model does not save", hidden + mask, hidden + mask, {}),
            ("another shape with as many numbers", hidden + row, [*hidden, ("grid", [3, 2])], {}),
            ("another shape that could be spread", hidden + scale, [*hidden, ("scale", [1])], {}),
            (
                "the file of a wrapped model",
                hidden + head,
                [(f"module.{key}", *rest) for key, *rest in hidden + head],
                {},
            ),
            (
                "a file from a GPU that is not here",
                hidden + head,
                hidden + older,
                {"tag": "cuda:63"},
            ),
            ("a model on a GPU", hidden + wider, hidden + head, {"device": gpu}),
            ("a model in float64", hidden + wider + steps, hidden + steps, {"dtype": "float64"}),
            (
                "differences of all kinds",
                hidden + norm + steps + wider,
                [*older, *steps, *head, *hidden[:1], *norm],
                {"tag": gpu},
            ),
        ]
        usual = {"tag": "cpu", "device": "cpu", "dtype": "float32"}
        return [
            Case(
                title,
                {
                    **usual,
                    **more,
                    "model": _numbered(rng, model, -1),
                    "file": [entry[:3] for entry in _numbered(rng, file, 1)],
                },
            )
            for title, model, file, more in rows
        ]


def _layer(name: str, outputs: int, inputs: int) -> list[Entry]:
    return [
        (f"{name}.weight", [outputs, inputs], "parameter"),
        (f"{name}.bias", [outputs], "parameter"),
    ]


def _norm(width: int) -> list[Entry]:
    kinds = {"weight": "parameter", "bias": "parameter", "mean": "buffer", "var": "buffer"}
    return [(f"norm.{name}", [width], kind) for name, kind in kinds.items()]


def _numbered(rng: random.Random, entries: Sequence[Entry], sign: int) -> list[Entry]:
    """The entries with a number each: those of a model are negative, those of a file positive."""
    numbers = rng.sample(range(1, 60), len(entries))
    return [
        (key, shape, float(sign * number), *kind)
        for (key, shape, *kind), number in zip(entries, numbers, strict=True)
    ]


def _ordered(described: Mapping[str, Any]) -> Mapping[str, Any]:
    """A described list, tuple or set as a list in sorted order: no order is asked for."""
    if described["type"] not in ("list", "tuple", "set"):
        return described
    return {"type": "list", "items": sorted(described["items"], key=str)}


def _judge_state(data: Mapping[str, Any], state: Mapping[str, Any]) -> Finding | None:
    found = {key: (shape, number) for key, shape, number in data["file"]}
    for key, shape, number, kind in data["model"]:
        fits = kind != "unsaved buffer" and found.get(key, (None, 0))[0] == shape
        wanted = found[key][1] if fits else number
        seen, gone = state.get(key), "no such tensor"
        if seen is None or seen.get("shape") != shape:
            return Finding(
                "rest-changed",
                f"{key}: {brief(seen) if seen else gone}",
                f"{key} with shape {tuple(shape)}",
            )
        if (seen["device"], seen["dtype"]) != (data["device"], data["dtype"]):
            return Finding(
                "model-converted",
                f"{key}: {seen['dtype']} on {seen['device']}",
                f"{data['dtype']} on {data['device']}",
            )
        if set(_flat(seen["values"])) != {wanted}:
            name = (
                ("buffers-not-loaded" if kind == "buffer" else "fits-not-loaded")
                if fits
                else ("rest-changed")
            )
            return Finding(name, clip(f"{key}: {brief(seen)}", 100), f"{key} full of {wanted}")
    return None


def _flat(values: Any) -> list[float]:
    return [n for item in values for n in _flat(item)] if isinstance(values, list) else [values]


judge = LoadPartial()
