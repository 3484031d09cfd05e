"""Judge `spawnable`: what stopped the dataset on its way to a worker, or what came out of it."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge
from course_utils.checking.facts import brief

MOST_BYTES = 2000


class Spawnable(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        def records(count: int, width: int) -> list[list[int]]:
            """Records of any bytes, of which no two are the same."""
            return [
                [number + 1, *(rng.randrange(1, 250) for _ in range(width - 1))]
                for number in range(count)
            ]

        width, count = rng.randint(3, 6), rng.randint(5, 9)
        rows = [
            ("the task's example", [[1, 2, 3], [4, 5, 6]], 0.5, False),
            ("two workers", records(count, width), rng.choice((0.25, 0.5, 2.0)), False),
            ("the main process has read an item before", records(count, width), 0.5, True),
            ("one record", records(1, width), 0.25, False),
            ("records of one byte", records(count, 1), 0.5, True),
            ("a file that is too large to be sent along", records(40, 200), 0.5, False),
            ("a large file, and an item read before", records(40, 200), 2.0, True),
        ]
        return [
            Case(
                title,
                {
                    "records": content,
                    "others": records(len(content), len(content[0]))[::-1],
                    "width": len(content[0]),
                    "scale": scale,
                    "used_first": used,
                    "reads": [(turn % 3, rng.randrange(len(content))) for turn in range(9)],
                },
            )
            for title, content, scale, used in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, returned = case.data, facts["returned"]
        if returned["type"] == "NoneType":
            return Finding("nothing-returned", "None", "a dataset")
        if returned["type"] != "other":
            return Finding("other-form", brief(returned), "a dataset")
        if "stopped" in facts:
            name = _name_stop(facts, data["used_first"])
            return Finding(name, clip(facts["error"]), "a dataset that works in every worker")
        if facts["gpu_used"]:
            return Finding("gpu-in-the-dataset", "a tensor on a GPU", "tensors on the CPU only")
        return _judge_items(data, facts) or _judge_memory(data, facts)


def _name_stop(facts: Facts, used_first: bool) -> str:
    step, error = facts["stopped"], facts["error"]
    if "has no len()" in error:
        return "other-form"
    if step == "use_first":
        return "dataset-does-not-work"
    if step in ("unpack", "use"):
        return "copy-does-not-work" if facts["original_works"] else "dataset-does-not-work"
    if step == "look_back" and not facts["original_works"]:
        return "dataset-does-not-work"
    if "_io." in error:
        return "stuck-after-first-use" if used_first or step == "look_back" else "open-file-kept"
    if facts["local_class"]:
        return "class-inside-a-function"
    return "lambda-kept" if "lambda" in error or "local" in error else "not-picklable"


def _judge_items(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    length, count = facts["length"]["value"], len(data["records"])
    if length != count:
        return Finding("wrong-length", f"length {length}", f"length {count}")
    # The copies come first; what the main process saw before is compared like one of them.
    asked = [number for _, number in data["reads"]] + [0] * data["used_first"]
    seen = [*facts["items"], *([facts["first"]] if data["used_first"] else [])]
    for number, item in zip(asked, seen, strict=True):
        wanted = _item(data["records"][number], data["scale"])
        if item != wanted:
            alike = all(item.get(name) == wanted[name] for name in ("type", "dtype", "shape"))
            name = "other-items" if alike else "item-of-another-kind"
            return Finding(name, f"item {number}: {brief(item)}", brief(wanted))
    return None


def _judge_memory(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    wanted = f"less than {MOST_BYTES} bytes for each worker"
    if facts["sent_bytes"] > MOST_BYTES:
        return Finding("whole-file-sent", f"{facts['sent_bytes']} bytes", wanted)
    if facts["items_kept"]:
        seen = f"{facts['items_kept']} of {len(data['records'])} items were still in memory"
        return Finding("records-kept", seen, "none of them")
    if facts["sent_bytes_later"] > MOST_BYTES:
        seen = f"{facts['sent_bytes_later']} bytes in the pickle once all items have been read"
        return Finding("records-kept", seen, wanted)
    return None


def _item(record: Sequence[int], scale: float) -> dict[str, Any]:
    return {
        "type": "Tensor",
        "dtype": "float32",
        "shape": [len(record)],
        "device": "cpu",
        "values": [byte * scale for byte in record],
    }


judge = Spawnable()
