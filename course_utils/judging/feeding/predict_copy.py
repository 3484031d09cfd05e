"""Judge `feeding.predict_copy`.

The oracle knows the rules of CUDA's copies ("API synchronization behavior" in the documentation of
its runtime) and those of `Tensor.to`. A test holds it against the clock of the virtual GPUs.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief
from course_utils.judging.feeding.material import GPUS

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation='It is a dict with the keys `"waits"`, `"device"`, `"pinned"` and `"risky"`. The '
    "device is a text, the others are `True` or `False`.",
    next_step="Compare your result with the example of the exercise, key by key.",
)
WRONG_DEVICE = FindingKind(
    name="wrong-device",
    title="the result is on another device",
    explanation="`to` returns a tensor on the device that it was asked for. Pinned or not, that "
    "is the target.",
    next_step="Which of the four arguments names the place of the result?",
)
NOTHING_TO_COPY = FindingKind(
    name="nothing-to-copy",
    title="the tensor is there already",
    explanation="`to` returns `x` itself then. Nothing is copied, nobody waits, and its memory is "
    "pinned if it was pinned before.",
    next_step="Treat the case of equal devices first.",
)
PINNED_ON_GPU = FindingKind(
    name="pinned-on-a-gpu",
    title="memory of a GPU is never pinned",
    explanation="Pinned memory is memory of the *host* that the operating system may not move "
    "away. The copy on the GPU is ordinary GPU memory.",
    next_step="Set `pinned` to `False` wherever the result is on a GPU.",
)
PAGEABLE_WAITS = FindingKind(
    name="pageable-copy-waits",
    title="`non_blocking=True` has nothing to work with here",
    explanation="A GPU can fetch by itself only from pinned memory. Out of pageable memory the "
    "host has to feed the copy piece by piece, and so it waits, whatever it was told.",
    next_step="Ask for both: is the source pinned, and is the copy non-blocking?",
)
PINNED_BLOCKS = FindingKind(
    name="pinned-is-not-enough",
    title="pinned memory alone does not let the host go on",
    explanation="The copy is faster then. But `to` waits for it all the same, unless "
    "`non_blocking=True` says that it need not.",
    next_step="Ask for both: is the source pinned, and is the copy non-blocking?",
)
GOES_ON = FindingKind(
    name="host-goes-on",
    title="the host does not wait here",
    explanation="With `non_blocking=True` and pinned memory on the host's side, `to` only queues "
    "the copy. On the way back, `to` takes pinned memory for its result by itself.",
    next_step="Give each of the two directions its own rule.",
)
GPU_TO_GPU = FindingKind(
    name="gpu-to-gpu",
    title="a copy between two GPUs does not need the host",
    explanation="It is queued like a kernel, whatever `non_blocking` says, and the GPUs do it on "
    "their own.",
    next_step="Give copies from GPU to GPU a rule of their own.",
)
BLOCKING_WAITS = FindingKind(
    name="blocking-copy-waits",
    title="the host waits here",
    explanation="Without `non_blocking=True`, a copy between the host and a GPU has arrived when "
    "`to` returns.",
    next_step="Look at `non_blocking` first.",
)
BACK_PINNED = FindingKind(
    name="memory-of-the-result",
    title="the memory of the result is of the other kind",
    explanation="A non-blocking copy to the CPU goes into pinned memory, since it could not go on "
    "by itself otherwise. A blocking one goes into ordinary memory.",
    next_step="For results on the CPU, ask how the copy was made.",
)
RISK_MISSED = FindingKind(
    name="risk-missed",
    title="the values may not be there yet",
    explanation="The host went on before the copy was done, and reads its own memory without "
    "asking the GPU. No error is raised; the numbers are wrong now and then.",
    next_step="When does the host have the result in its own memory, without having waited?",
)
RISK_IMAGINED = FindingKind(
    name="risk-imagined",
    title="nothing can go wrong here",
    explanation="What uses a tensor on a GPU is queued behind its copy. And a copy that was waited "
    "for is done.",
    next_step="Only the host itself can be too early. In which direction, and with which flag?",
)

KEYS = ("waits", "device", "pinned", "risky")


class PredictCopy(Judge):
    """Compares a prediction with the rules, key by key."""

    name = "feeding.predict_copy"
    findings = (
        WRONG_FORM,
        WRONG_DEVICE,
        NOTHING_TO_COPY,
        PINNED_ON_GPU,
        PAGEABLE_WAITS,
        PINNED_BLOCKS,
        GOES_ON,
        GPU_TO_GPU,
        BLOCKING_WAITS,
        BACK_PINNED,
        RISK_MISSED,
        RISK_IMAGINED,
    )
    hints = (
        "There are four kinds of copy: there already, from the CPU to a GPU, from a GPU to the "
        "CPU, and between two GPUs. Sort the question into one of them first.",
        "The host may go on only if it is not needed: there has to be pinned memory on the host's "
        "side, and `non_blocking=True`. On the way to the CPU, `to` makes the pinned memory itself "
        "if the copy is non-blocking.",
        "`risky` is true in one case only: the host has not waited, and what it reads is in its "
        "own memory. `pinned` is never true on a GPU.",
        "A similar case: letters. Who posts one himself waits in the queue; a courier may take it "
        "from a box, if there is one.\n"
        "```python\n"
        "def predict_letter(box, courier, answer_wanted):\n"
        "    queues = not (box and courier)\n"
        "    return {\"queues\": queues, \"risky\": answer_wanted and not queues}\n\n"
        "predict_letter(box=True, courier=True, answer_wanted=False)\n"
        "# {'queues': False, 'risky': False}\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = rng.sample(GPUS, 2)
        third, fourth = rng.sample(GPUS, 2)
        drawn = [
            ("out of ordinary memory, blocking", "", "cpu", False, gpu, False),
            ("out of ordinary memory, non-blocking", "", "cpu", False, gpu, True),
            ("out of pinned memory, non-blocking", "", "cpu", True, other, True),
            ("back to the CPU", "", gpu, False, "cpu", False),
            ("there already", "", other, False, other, False),
            ("pinned, blocking", "pinned memory and a blocking copy", "cpu", True, gpu, False),
            ("back, non-blocking", "a non-blocking copy to the CPU", other, False, "cpu", True),
            ("GPU to GPU", "from GPU to GPU", gpu, False, other, False),
            ("GPU to GPU, non-blocking", "from GPU to GPU, non-blocking", other, False, gpu, True),
            ("pinned, on the CPU already", "pinned memory, and nothing to copy",
             "cpu", True, "cpu", False),
            ("on the CPU already", "ordinary memory, and nothing to copy",
             "cpu", False, "cpu", True),
            ("on the GPU already", "nothing to copy on a GPU, non-blocking",
             third, False, third, True),
            ("another GPU, pinned", "another GPU, out of pinned memory", "cpu", True, third, True),
            ("another GPU", "another GPU, back and blocking", fourth, False, "cpu", False),
        ]
        names = ("source", "pinned", "target", "non_blocking")
        return [
            Case(title, separates or title, dict(zip(names, values, strict=True)), bool(separates))
            for title, separates, *values in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, wanted = facts["predicted"], outcome(case.data)
        asked = ", ".join(f"{name}={value!r}" for name, value in case.data.items())
        expected = f"{wanted} for {asked}"
        parts = _parts(seen)
        if parts is None:
            return WRONG_FORM.found(brief(seen), expected)
        kind = _name(parts, wanted, case.data)
        return kind and kind.found(str(parts), expected)


def outcome(data: Mapping[str, Any]) -> dict[str, bool | str]:
    """What `y = x.to(target, non_blocking=...)` does for a large tensor `x` on `source`."""
    source, target, pinned = data["source"], data["target"], data["pinned"]
    if source == target:
        waits, memory = False, pinned
    elif source == "cpu":
        waits, memory = not (pinned and data["non_blocking"]), False
    elif target == "cpu":
        waits, memory = not data["non_blocking"], data["non_blocking"]
    else:
        waits, memory = False, False
    comes_back = target == "cpu" and source != "cpu"
    return {
        "waits": waits,
        "device": target,
        "pinned": memory,
        "risky": comes_back and not waits,
    }


def _parts(described: Mapping[str, Any]) -> dict[str, Any] | None:
    """The described dict as a dict, or None if it has another form."""
    if described["type"] != "dict":
        return None
    keys = [key.get("value") for key in described["keys"]]
    if sorted(map(str, keys)) != sorted(KEYS):
        return None
    items = dict(zip(keys, described["items"], strict=True))
    types = {"waits": "bool", "device": "str", "pinned": "bool", "risky": "bool"}
    if any(items[key]["type"] != types[key] for key in KEYS):
        return None
    return {key: items[key]["value"] for key in KEYS}


def _name(
    seen: Mapping[str, Any], wanted: Mapping[str, Any], data: Mapping[str, Any]
) -> FindingKind | None:
    wrong = next((key for key in ("device", "waits", "pinned", "risky")
                  if seen[key] != wanted[key]), None)
    if wrong is None:
        return None
    if wrong == "device":
        return WRONG_DEVICE
    if data["source"] == data["target"] and wrong in ("waits", "pinned"):
        return NOTHING_TO_COPY if data["source"] == "cpu" or wrong == "waits" else PINNED_ON_GPU
    if wrong == "waits":
        return _name_waiting(wanted, data)
    if wrong == "pinned":
        return BACK_PINNED if data["target"] == "cpu" else PINNED_ON_GPU
    return RISK_MISSED if wanted["risky"] else RISK_IMAGINED


def _name_waiting(wanted: Mapping[str, Any], data: Mapping[str, Any]) -> FindingKind:
    if "cpu" not in (data["source"], data["target"]):
        return GPU_TO_GPU
    if not wanted["waits"]:
        return GOES_ON
    if data["non_blocking"]:
        return PAGEABLE_WAITS
    return PINNED_BLOCKS if data["pinned"] else BLOCKING_WAITS
