"""Judge `visible.child_device_count`.

The truth is the number of cards that the value leaves visible on the stand-in's machine.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.visible.material import joined, some_cards, visible_numbers

NOT_RUN = FindingKind(
    name="not-run",
    title="no child process ran the command",
    explanation="How many cards a value leaves visible depends on the machine. The child is there "
    "to find out, and nobody asked it.",
    next_step="Give the command to `subprocess.run`, as the list that it is.",
)
RUN_TWICE = FindingKind(
    name="run-more-than-once",
    title="the command ran more than once",
    explanation="A real program takes seconds to start, and may do more than count.",
    next_step="Run it once, and keep the result.",
)
NOT_GIVEN = FindingKind(
    name="child-without-the-value",
    title="the child did not get the value",
    explanation="A child inherits a copy of this process's environment, unless `env=…` gives it "
    "another one. `dict.update` returns `None`, and `env=None` means the inherited one.",
    next_step="Put the value into a copy of `os.environ`, and pass the copy as `env=…`.",
)
UNSET = FindingKind(
    name="unset",
    title="`None` stands for no value",
    explanation="An environment holds texts only, so that `None` cannot be put into it. A variable "
    "that is not set is one that is not there.",
    next_step="Remove the variable from your copy: `pop(name, None)` does it, there or not.",
)
EMPTY = FindingKind(
    name="empty-value",
    title="an empty value is a value",
    explanation="It hides every card, and a variable that is not set hides none. In a condition "
    "the empty text counts as false, just as `None` does.",
    next_step="Ask `visible is None`, and not whether `visible` is true.",
)
ENVIRONMENT_LOST = FindingKind(
    name="environment-lost",
    title="the child lost the rest of its environment",
    explanation="`env=…` replaces everything: `PATH`, `HOME` and all else that programs rely on.",
    next_step="Begin with a copy of `os.environ`, and change one variable in it.",
)
PARENT_CHANGED = FindingKind(
    name="parent-changed",
    title="the environment of this process was changed",
    explanation="`os.environ` is the environment itself and not a copy of it. Whatever starts CUDA "
    "here, and whatever other child is started, would get the value as well, also if it is taken "
    "back a moment later.",
    next_step="Change a copy: `dict(os.environ)` or `os.environ.copy()`.",
)
TEXT = FindingKind(
    name="text-returned",
    title="what the child prints is text",
    explanation="The number arrives as characters, with the end of the line.",
    next_step="Make a number of it with `int(…)`.",
)
NOT_LAST_LINE = FindingKind(
    name="not-the-last-line",
    title="the child said something else first",
    explanation="Programs print banners and warnings. The number stands on the last line.",
    next_step="Take the last of the output's `splitlines()`.",
)
FAILURE = FindingKind(
    name="failure-not-told",
    title="the child failed, and its number was taken all the same",
    explanation="A child that ends with another status than 0 says that its work was not done.",
    next_step="Pass `check=True` to `subprocess.run`: then it raises `CalledProcessError`.",
)
OTHER_ERROR = FindingKind(
    name="other-error",
    title="another error was raised for a child that fails",
    explanation="The task asks for `subprocess.CalledProcessError`, which carries the command and "
    "the status of the child.",
    next_step="Pass `check=True` to `subprocess.run`, and let its error pass.",
)
NEEDLESS = FindingKind(
    name="failed-needlessly",
    title="the child was fine, and an error was raised",
    explanation="It ended with status 0, and printed its number.",
    next_step="Raise an error only for another status than 0.",
)
NOT_CAPTURED = FindingKind(
    name="not-captured",
    title="what the child printed did not come back",
    explanation="Unless it is captured, the output of a child goes to the screen, and `stdout` of "
    "the result is `None`.",
    next_step="Pass `capture_output=True, text=True`, and look at `.stdout`.",
)
STATUS = FindingKind(
    name="status-returned",
    title="this is not what the child printed",
    explanation="`returncode` and the result of `os.system` are the status with which the child "
    "ended: 0 for success, whatever it counted. The result of `subprocess.run` is an object around "
    "all of this.",
    next_step="Return the number that stands in the output.",
)
COMMAND_CHANGED = FindingKind(
    name="command-changed",
    title="the list with the command was changed",
    explanation="It belongs to the caller, who may want to run it again.",
    next_step="Leave the list as it is.",
)
OTHER = FindingKind(
    name="another-number",
    title="this is another number than the child printed",
    explanation="The result is the child's count, as a whole number.",
    next_step="Print the child's output with `repr`, and compare.",
)


class ChildDeviceCount(Judge):
    """Compares number, child's environment and parent's environment with what is due."""

    name = "visible.child_device_count"
    findings = (
        NOT_RUN,
        RUN_TWICE,
        NOT_GIVEN,
        UNSET,
        EMPTY,
        ENVIRONMENT_LOST,
        PARENT_CHANGED,
        TEXT,
        NOT_LAST_LINE,
        FAILURE,
        OTHER_ERROR,
        NEEDLESS,
        NOT_CAPTURED,
        STATUS,
        COMMAND_CHANGED,
        OTHER,
    )
    hints = (
        "Three steps: an environment for the child, the child itself, and its number.",
        "`env = dict(os.environ)` is a copy. Change it, with `pop` where `visible` is `None`, and "
        "pass it on: `subprocess.run(command, env=env, …)`.",
        "`capture_output=True` collects what the child prints, `text=True` makes texts of it, and "
        "`check=True` raises an error if it fails. The result has an attribute `stdout`.",
        "A similar case: ask a child what day it is in another time zone.\n"
        "```python\n"
        "import os\n"
        "import subprocess\n\n"
        "def day_in(zone):\n"
        "    env = dict(os.environ)\n"
        "    env[\"TZ\"] = zone\n"
        "    done = subprocess.run([\"date\", \"+%d\"], env=env, capture_output=True, text=True,\n"
        "                          check=True)\n"
        "    return int(done.stdout)\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        n = rng.randint(5, 9)
        a, b, c = some_cards(rng, n, 3)
        banner = f"warming up {rng.randint(10, 99)} kernels"
        drawn = [
            ("two cards", "", "2,3", None, 4, "", 0),
            ("one card, another value here", "", "1", "0,2,3", 4, "", 0),
            ("without a value", "", None, "0", 4, "", 0),
            ("a program that says hello", "", "0,2", None, 4, "hello", 0),
            ("three cards", "three cards", joined((a, b, c)), str(a), n, "", 0),
            ("no card", "an empty value", "", joined((a, b)), n, "", 0),
            ("nothing set anywhere", "no value, and none here", None, None, n, "", 0),
            ("without a value, other machine", "no value, and one here", None, joined((a, b)), n,
             "", 0),
            ("the same value", "the value that is there already", str(b), str(b), n, "", 0),
            ("a number first", "a program that prints more than one line", joined((a, b)), None, n,
             banner, 0),
            ("a child that fails", "a child that fails", str(c), None, n, "", rng.randint(1, 9)),
            ("a child that fails late", "a child that says something and fails", None, str(a), n,
             banner, rng.randint(1, 9)),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "visible": visible,
                    "parent": parent,
                    "cards": cards,
                    "first": first,
                    "status": status,
                    "marker": f"LESSON_{rng.randint(100, 999)}",
                },
                bool(separates),
            )
            for title, separates, visible, parent, cards, first, status in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        visible, wanted = data["visible"], len(visible_numbers((data["visible"], data["cards"])))
        expected = f"{wanted} for visible={visible!r}"
        if facts["written"]:
            return PARENT_CHANGED.found("a change of os.environ", "a change of a copy")
        if not facts["kept"]:
            return COMMAND_CHANGED.found("another list", "the list as it was")
        if facts["runs"] != 1:
            kind = NOT_RUN if facts["runs"] == 0 else RUN_TWICE
            return kind.found(f"{facts['runs']} runs", "one run")
        if facts["visible"] != visible:
            kind = {None: UNSET, "": EMPTY}.get(visible, NOT_GIVEN)
            return kind.found(f"{facts['visible']!r} in the child", repr(visible))
        if facts["lost"]:
            return ENVIRONMENT_LOST.found("variables missing in the child", "all others as here")
        if data["status"]:
            if facts.get("failed"):
                return None
            return FAILURE.found(brief(facts["returned"]), "a CalledProcessError")
        if facts.get("failed"):
            return NEEDLESS.found("a CalledProcessError", expected)
        returned = facts["returned"]
        if returned == {"type": "int", "value": wanted}:
            return None
        return _name(returned, data).found(brief(returned), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen, expected = f"{raised.type}: {raised.text}", "a whole number"
        # Of `subprocess` and of `os.environ`, when they are given None for a text.
        if raised.type == "TypeError" and ("expected str" in raised.text
                                           or "str expected" in raised.text):
            return UNSET.found(seen, expected) if case.data["visible"] is None else None
        if raised.type in ("TypeError", "AttributeError") and "NoneType" in raised.text:
            return NOT_CAPTURED.found(seen, expected)
        if case.data["status"]:
            return OTHER_ERROR.found(seen, "a CalledProcessError")
        if raised.type == "ValueError" and "invalid literal" in raised.text:
            return NOT_LAST_LINE.found(seen, expected)
        return None


def _name(returned: Mapping[str, Any], data: Mapping[str, Any]) -> FindingKind:
    if returned["type"] == "str":
        return TEXT if not data["first"] or "\n" not in returned["value"].strip() else NOT_LAST_LINE
    if returned["type"] == "NoneType":
        return NOT_CAPTURED
    if returned["type"] == "other" and returned["class"] == "bytes":
        return TEXT
    if returned["type"] == "other" or returned == {"type": "int", "value": data["status"]}:
        return STATUS
    return OTHER
