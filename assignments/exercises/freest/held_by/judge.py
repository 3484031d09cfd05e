"""Judge `held_by`: the amounts of each process, and what became of a question without an answer."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief, describe, same

Held = dict[int, int | None]
LOST = "Unable to determine the device handle for GPU0000:3D:00.0: GPU is lost."
NO_DRIVER = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that "
    "the latest NVIDIA driver is installed and running."
)


def held(cards: Sequence[Sequence[Sequence[Any]]]) -> Held:
    amounts: dict[int, list[int | None]] = {}
    for processes in cards:
        for pid, mib, kind in processes:
            if kind == "C":
                amounts.setdefault(pid, []).append(mib)
    return {
        pid: None if None in all_ else sum(all_)  # type: ignore[arg-type]
        for pid, all_ in amounts.items()
    }


class HeldBy(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        def pids(count: int) -> list[int]:
            return rng.sample(range(1_000, 30_000), count)

        def mib() -> int:
            return rng.randint(200, 9_000)

        def answers(title: str, *cards: Sequence[Sequence[Any]], text: str = "") -> Case:
            return Case(
                title, {"cards": cards, "text": text, "status": 0, "hangs": False, "error": ""}
            )

        def fails(
            title: str, *, text: str = "", status: int = 0, hangs: bool = False, error: str = ""
        ) -> Case:
            return Case(
                title, {"cards": [], "text": text, "status": status, "hangs": hangs, "error": error}
            )

        one, two, three = pids(3)
        first, second = mib(), mib()
        return [
            answers(
                "three processes on two cards",
                [(one, mib(), "C"), (two, mib(), "C")],
                [(three, mib(), "C")],
            ),
            answers(
                "a process on two cards",
                [(one, first, "C"), (two, mib(), "C")],
                [(one, second, "C")],
            ),
            answers(
                "the task's example",
                [(2950, 9100, "C"), (3381, 6000, "C")],
                [(3381, 512, "C"), (4242, None, "C")],
            ),
            answers("nobody computes", [(one, mib(), "G")], []),
            answers("an amount that is not known", [(one, mib(), "C"), (two, None, "C")]),
            answers(
                "a process with a known and an unknown amount",
                [(one, mib(), "C")],
                [(one, None, "C"), (two, mib(), "C")],
            ),
            answers(
                "a process with an unknown and a known amount",
                [(one, None, "C")],
                [(one, mib(), "C"), (two, mib(), "C")],
            ),
            fails("no nvidia-smi", error="FileNotFoundError", text="nvidia-smi"),
            fails(
                "an nvidia-smi that may not be started", error="PermissionError", text="nvidia-smi"
            ),
            fails("the driver is not running", status=9, text=NO_DRIVER),
            fails(
                "an exit status that is not 0, with lines like an answer",
                status=15,
                text=f"{one}, {mib()}",
            ),
            fails("a command that hangs", hangs=True),
            fails("a text that is no answer", text=LOST),
            answers("an answer with a line that is none", text=f"{one}, {mib()}\n{LOST}"),
            answers(
                "an answer with a process and another word than `[N/A]`",
                text=f"{one}, {mib()}\n{two}, [Insufficient Permissions]",
            ),
            fails("another exception", error="KeyError", text="a fault in a program of ours"),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if not facts["calls"]:
            return Finding("run-not-called", "no call of run", "one call")
        if facts["hung"]:
            return Finding("no-timeout", "run(…) without a timeout", "timeout=10, for instance")
        if "left" in facts:
            wanted = data["error"] == "KeyError"
            return None if wanted else Finding("exception-left", facts["left"], "None")
        if data["error"] == "KeyError":
            return Finding("other-error-caught", brief(facts["result"]), "KeyError")
        return _judge_result(facts["result"], data) or _judge_call(facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if case.data["text"]:
            return Finding("text-not-expected", str(raised), "None")
        if raised.type == "ValueError" and "N/A" in raised.text:
            return Finding("not-available-read", str(raised), "None for this process")
        if raised.type == "TypeError" and "NoneType" in raised.text:
            return Finding("not-available-read", str(raised), "None for this process")
        return None


def _judge_result(result: Mapping[str, Any], data: Mapping[str, Any]) -> Finding | None:
    right = None if data["text"] or data["hangs"] or data["error"] else held(data["cards"])
    if same(result, describe(right)):
        return None
    shown = clip(brief(result), 160), clip(str(right), 160)
    if right is None:
        if data["error"] or data["hangs"]:
            return Finding("no-answer-not-none", *shown)
        return Finding("status-ignored" if data["status"] else "text-not-expected", *shown)
    if result["type"] == "NoneType":
        if not right:
            return Finding("nobody-is-no-answer", *shown)
        unknown = None in right.values()
        return Finding("not-available-no-answer" if unknown else "answer-not-read", *shown)
    if result["type"] != "dict":
        return Finding("other-form", *shown)
    return Finding(_misread(result, right, data["cards"]), *shown)


def _misread(
    result: Mapping[str, Any], right: Held, cards: Sequence[Sequence[Sequence[Any]]]
) -> str:
    rows = [(pid, mib) for card in cards for pid, mib, kind in card if kind == "C"]
    known = [(pid, mib) for pid, mib in rows if mib is not None]
    sums = {pid: sum(mib for one, mib in known if one == pid) for pid, _ in rows}
    models: Sequence[tuple[str, Any]] = (
        ("strings", {str(pid): mib for pid, mib in right.items()}),
        ("strings", {pid: mib if mib is None else str(mib) for pid, mib in right.items()}),
        ("strings", {str(pid): mib if mib is None else str(mib) for pid, mib in right.items()}),
        ("not-available-counted", sums),
        ("not-available-counted", {pid: sums[pid] for pid, _ in known}),
        ("not-available-counted", {p: mib for p, mib in right.items() if mib is not None}),
        ("last-line-kept", dict(rows)),
        ("last-line-kept", dict(reversed(rows))),
    )
    return next((name for name, model in models if same(result, describe(model))), "other-amounts")


def _judge_call(facts: Facts) -> Finding | None:
    if facts["shell"] or not facts["words"]:
        return Finding("not-a-list", "a command for a shell", "a list of words")
    if facts["calls"] > 1:
        return Finding("asked-twice", f"{facts['calls']} calls of run", "one call")
    if facts["timeout"] is None or not 1 <= facts["timeout"] <= 60:
        return Finding("no-timeout", f"timeout={facts['timeout']}", "1 to 60 seconds")
    return None


judge = HeldBy()
