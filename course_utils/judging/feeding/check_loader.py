"""Judge `feeding.check_loader`.

The oracle asks `DataLoader` itself: it makes one, notes what it refuses, repairs that one setting
and tries again, until nothing is refused. No worker is started.
"""

import copy
import random
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from torch.utils.data import DataLoader

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

TOO_MANY = "too many workers"

WRONG_FORM = FindingKind(
    name="not-a-list-of-texts",
    title="the result is not a list of texts",
    explanation="The function returns a list of the names of the table, and an empty list if "
    "nothing is wrong.",
    next_step="Start with `problems = []`, append a name for each problem, and return the list.",
)
SETTINGS_CHANGED = FindingKind(
    name="settings-changed",
    title="the caller's settings were changed",
    explanation="`pop`, `update` and `setdefault` work on the dict itself, which belongs to "
    "whoever called.",
    next_step="Read with `settings.get(name, default)`.",
)
TWICE = FindingKind(
    name="reported-twice",
    title="a problem is reported more than once",
    explanation="A setting can be wrong for two reasons and is still one problem.",
    next_step="Join the reasons for one name with `or` in a single `if`.",
)
UNKNOWN_NAME = FindingKind(
    name="unknown-name",
    title="the result holds a text that is no name of the table",
    explanation="Other programs would look these names up, so they have to be exactly those of "
    "the table.",
    next_step="Compare the text, letter by letter, with the first column of the table.",
)
DEFAULT_TAKEN_FOR_ONE = FindingKind(
    name="default-taken-for-one-worker",
    title="without `num_workers` there is no worker at all",
    explanation="The default is 0: the main process loads the data itself. What is made for "
    "workers is refused then.",
    next_step="Read the number with `settings.get(\"num_workers\", 0)`.",
)
ZERO_OVERLOOKED = FindingKind(
    name="setting-without-workers-missed",
    title="a setting that needs workers was accepted without them",
    explanation="With 0 workers nobody could prefetch, stay alive, or be started in some way, and "
    "`DataLoader` refuses to be told about it.",
    next_step="Test `prefetch_factor`, `persistent_workers` and `multiprocessing_context` against "
    "the number of workers, one by one.",
)
NOT_GIVEN = FindingKind(
    name="none-taken-for-given",
    title="a setting that asks for nothing was reported",
    explanation="`None` and `False` are the defaults. Writing them out is the same as leaving "
    "them out.",
    next_step="Ask for the value, `settings.get(name)`, and not for the key.",
)
ZERO_IS_A_VALUE = FindingKind(
    name="zero-taken-for-none",
    title="`prefetch_factor=0` is a value, too",
    explanation="Only `None` means that nothing was given. `0` is given, and false all the same "
    "where it is tested with `if`.",
    next_step="Compare with `is not None`.",
)
NEGATIVE_MISSED = FindingKind(
    name="negative-missed",
    title="a negative number was accepted",
    explanation="A number of workers, of batches or of seconds cannot be negative.",
    next_step="Compare each of the three numbers of the table with 0.",
)
CPUS_MISSED = FindingKind(
    name="too-many-workers-missed",
    title="there are more workers than CPUs",
    explanation="`DataLoader` warns, since workers that share a CPU slow each other down.",
    next_step="Compare the number of workers with `cpus`.",
)
CPUS_EXACT = FindingKind(
    name="one-worker-per-cpu-refused",
    title="as many workers as CPUs is fine",
    explanation="`DataLoader` warns only when there are *more* workers than CPUs.",
    next_step="Look at the comparison with `cpus`: which side does the equal case belong to?",
)
SAMPLERS_MISSED = FindingKind(
    name="conflict-missed",
    title="two settings that exclude each other were accepted",
    explanation="A sampler says in which order samples come, `shuffle` says the same; a batch "
    "sampler says what a batch is, and so do four other settings. `batch_size=None` makes no "
    "batches at all, so that there is no last one to drop.",
    next_step="Go through the last three rows of the table, setting by setting.",
)
BATCH_SIZE_ONE = FindingKind(
    name="default-batch-size-refused",
    title="the default batch size is no conflict",
    explanation="1 is the default of `batch_size`, so that `DataLoader` cannot tell it from "
    "nothing. Every other value next to a batch sampler is refused, `None` included.",
    next_step="Test `settings.get(\"batch_size\", 1) != 1`.",
)
NOT_A_PROBLEM = FindingKind(
    name="fine-setting-refused",
    title="a setting that `DataLoader` accepts was reported",
    explanation="Only the rows of the table are problems.",
    next_step="Make a `DataLoader` with these settings yourself and see that it raises nothing.",
)
FIRST_ONLY = FindingKind(
    name="first-problem-only",
    title="there is more than one problem",
    explanation="`DataLoader` stops at the first one, and then one mends and tries again. Your "
    "function names all of them at once.",
    next_step="Do not return before every row of the table has been tested.",
)

KEY_MISSING = FindingKind(
    name="left-out-not-handled",
    title="not every setting is given",
    explanation="A loader is mostly left to its defaults, so that most keys are missing, and "
    "square brackets raise for a missing key.",
    next_step="Read with `settings.get(name, default)`.",
)

NEEDS_WORKERS = ("prefetch_factor", "persistent_workers", "multiprocessing_context")
KNOWN_SETTINGS = (
    "num_workers", "timeout", "prefetch_factor", "persistent_workers", "multiprocessing_context",
    "sampler", "batch_sampler", "batch_size", "shuffle", "drop_last",
)  # fmt: skip

# What stands in torch's message, the name of the problem, and what is left out to go on.
REFUSALS = (
    ("num_workers option should be non-negative", "num_workers", "num_workers"),
    ("timeout option should be non-negative", "timeout", "timeout"),
    ("prefetch_factor option", "prefetch_factor", "prefetch_factor"),
    ("persistent_workers option", "persistent_workers", "persistent_workers"),
    ("sampler option is mutually exclusive with shuffle", "sampler", "shuffle"),
    ("batch_sampler option is mutually exclusive", "batch_sampler", "batch_sampler"),
    ("mutually exclusive with drop_last", "drop_last", "drop_last"),
    ("multiprocessing_context can only be used", "multiprocessing_context",
     "multiprocessing_context"),
)


class CheckLoader(Judge):
    """Compares the reported names with what `DataLoader` refuses."""

    name = "feeding.check_loader"
    findings = (
        WRONG_FORM,
        SETTINGS_CHANGED,
        TWICE,
        UNKNOWN_NAME,
        DEFAULT_TAKEN_FOR_ONE,
        ZERO_OVERLOOKED,
        NOT_GIVEN,
        ZERO_IS_A_VALUE,
        NEGATIVE_MISSED,
        CPUS_MISSED,
        CPUS_EXACT,
        SAMPLERS_MISSED,
        BATCH_SIZE_ONE,
        NOT_A_PROBLEM,
        FIRST_ONLY,
        KEY_MISSING,
    )
    hints = (
        "A setting that is left out has a default. Which one has `num_workers`? Read each setting "
        "with `settings.get(name, default)`, so that left out and written out are the same.",
        "Begin with an empty list. For each row of the table: one `if`, and in it one `append`. "
        "Return the list at the very end.",
        "`prefetch_factor` is given if it `is not None`, even if it is 0. `batch_sampler` clashes "
        "with `settings.get(\"batch_size\", 1) != 1`, `shuffle`, a sampler, or `drop_last`.",
        "A similar case: check the order of somebody who buys a tent.\n"
        "```python\n"
        "def check_order(order):\n"
        "    problems = []\n"
        "    tents = order.get(\"tents\", 0)                 # left out means none\n"
        "    if tents < 0:\n"
        "        problems.append(\"tents\")\n"
        "    if tents == 0 and order.get(\"pegs\") is not None:\n"
        "        problems.append(\"pegs\")\n"
        "    if order.get(\"by_post\") and (order.get(\"fetched\") or tents > 5):\n"
        "        problems.append(\"by_post\")\n"
        "    return problems\n\n"
        "check_order({\"pegs\": 0, \"by_post\": True, \"fetched\": True})   # ['pegs', 'by_post']\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        some, factor, cpus = rng.randint(1, 4), rng.randint(2, 8), rng.randint(5, 16)
        method = rng.choice(["spawn", "fork", "forkserver"])
        order = rng.sample(range(4), 4)
        pairs = [order[:2], order[2:]]
        size = rng.randint(2, 64)
        drawn: list[tuple[str, str, dict[str, Any]]] = [
            ("nothing but a batch size", "", {"batch_size": size}),
            ("workers with all their settings", "",
             {"num_workers": some, "prefetch_factor": factor, "persistent_workers": True,
              "multiprocessing_context": method, "timeout": size, "pin_memory": True}),
            ("`prefetch_factor` alone", "", {"prefetch_factor": factor}),
            ("`persistent_workers` with 0 workers", "",
             {"num_workers": 0, "persistent_workers": True, "batch_size": size}),
            ("more workers than CPUs", "", {"num_workers": cpus + some}),
            ("a sampler, and `shuffle`", "", {"sampler": order, "shuffle": True}),
            ("three settings that need workers, and no worker",
             "several problems at once",
             {"num_workers": 0, "prefetch_factor": factor, "persistent_workers": True,
              "multiprocessing_context": method}),
            ("`multiprocessing_context` alone", "a start method and nobody to start",
             {"multiprocessing_context": method, "shuffle": True}),
            ("defaults written out", "settings that ask for nothing",
             {"num_workers": 0, "prefetch_factor": None, "persistent_workers": False,
              "multiprocessing_context": None, "sampler": None, "batch_sampler": None,
              "shuffle": False, "drop_last": False, "timeout": 0}),
            ("`prefetch_factor=0`, no worker", "a `prefetch_factor` of zero",
             {"prefetch_factor": 0}),
            ("`prefetch_factor=0`, with workers", "a `prefetch_factor` of zero, and workers",
             {"num_workers": some, "prefetch_factor": 0}),
            ("negative workers", "a negative number of workers", {"num_workers": -some}),
            ("negative seconds and batches", "other negative numbers",
             {"num_workers": some, "timeout": -size, "prefetch_factor": -factor}),
            ("one worker for each CPU", "as many workers as CPUs", {"num_workers": cpus}),
            ("a batch sampler alone", "a batch sampler and nothing else",
             {"batch_sampler": pairs, "batch_size": 1}),
            ("only a batch sampler", "a batch sampler, everything else left out",
             {"batch_sampler": pairs}),
            ("a batch sampler and a batch size", "a batch sampler and a batch size",
             {"batch_sampler": pairs, "batch_size": size}),
            ("a batch sampler, no batch size", "a batch sampler and `batch_size=None`",
             {"batch_sampler": pairs, "batch_size": None}),
            ("a batch sampler and a sampler", "a batch sampler and a sampler",
             {"batch_sampler": pairs, "sampler": order}),
            ("a batch sampler and shuffle", "a batch sampler that would be shuffled",
             {"batch_sampler": pairs, "shuffle": True}),
            ("a batch sampler and drop_last", "a batch sampler whose last batch would be dropped",
             {"batch_sampler": pairs, "drop_last": True}),
            ("no batches, drop_last", "dropping the last batch where there are no batches",
             {"batch_size": None, "drop_last": True}),
            ("no batches", "no batches, nothing to drop",
             {"batch_size": None, "shuffle": True}),
            ("drop_last", "batches, of which the last one is dropped",
             {"batch_size": size, "drop_last": True, "num_workers": some}),
            ("problems of every kind", "problems in several parts of the table",
             {"num_workers": cpus + some, "timeout": -some, "sampler": order, "shuffle": True}),
            ("a whole mess", "many problems, no worker",
             {"timeout": -some, "prefetch_factor": factor, "persistent_workers": True,
              "batch_sampler": pairs, "batch_size": size, "shuffle": True}),
        ]
        return [
            Case(title, separates or title, {"settings": settings, "cpus": cpus}, bool(separates))
            for title, separates, settings in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, settings = facts["problems"], case.data["settings"]
        wanted = refused(case.data)
        expected = f"{wanted} for {settings}, {case.data['cpus']} CPUs"
        if seen["type"] != "list" or any(item["type"] != "str" for item in seen["items"]):
            return WRONG_FORM.found(brief(seen), expected)
        if not facts["unchanged"]:
            return SETTINGS_CHANGED.found("other settings after the call", "the same settings")
        names = [item["value"] for item in seen["items"]]
        kind = _name(names, wanted, settings)
        return kind and kind.found(str(names), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "KeyError" and raised.text.strip("'") in KNOWN_SETTINGS:
            wanted = str(refused(case.data))
            return KEY_MISSING.found(f"KeyError: {raised.text}", wanted)
        return None
def refused(data: Mapping[str, Any]) -> list[str]:
    """What `DataLoader` refuses or warns of in the settings of a case."""
    settings, cpus = data["settings"], data["cpus"]
    problems = []
    trial = copy.deepcopy(dict(settings))
    while problem := _refusal(trial):
        name, left_out = problem
        problems.append(name)
        del trial[left_out]
    if settings.get("num_workers", 0) > cpus:
        problems.append(TOO_MANY)  # torch asks the machine that it runs on, which is another one
    return problems


def _refusal(settings: Mapping[str, Any]) -> tuple[str, str] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            DataLoader(range(4), **settings)
        except ValueError as error:
            return next((name, out) for text, name, out in REFUSALS if text in str(error))
    return None


def _name(
    seen: Sequence[str], wanted: Sequence[str], settings: Mapping[str, Any]
) -> FindingKind | None:
    known = {name for _, name, _ in REFUSALS} | {TOO_MANY}
    if not set(seen) <= known:
        return UNKNOWN_NAME
    if len(set(seen)) < len(seen):
        return TWICE
    extra, missing = set(seen) - set(wanted), set(wanted) - set(seen)
    if extra:
        return _name_extra(extra, settings)
    if seen and missing:
        return FIRST_ONLY
    return _name_missing(missing, settings) if missing else None


def _name_extra(extra: set[str], settings: Mapping[str, Any]) -> FindingKind:
    if extra == {TOO_MANY}:
        return CPUS_EXACT
    if "batch_sampler" in extra and settings.get("batch_sampler"):
        return BATCH_SIZE_ONE
    asked_for_nothing = all(name in settings and not settings[name] for name in extra)
    return NOT_GIVEN if asked_for_nothing else NOT_A_PROBLEM


def _name_missing(missing: set[str], settings: Mapping[str, Any]) -> FindingKind:
    if any(isinstance(value := settings.get(name), int) and value < 0 for name in missing):
        return NEGATIVE_MISSED
    if TOO_MANY in missing:
        return CPUS_MISSED
    if missing & set(NEEDS_WORKERS):
        if "prefetch_factor" in missing and settings["prefetch_factor"] == 0:
            return ZERO_IS_A_VALUE
        return ZERO_OVERLOOKED if "num_workers" in settings else DEFAULT_TAKEN_FOR_ONE
    return SAMPLERS_MISSED
