"""Which version of train.py each of its lines comes from, as `git blame` would tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from course_utils.experiments import project


@dataclass(frozen=True)
class Growth:
    """brought: how many lines each version added. left: how many of them the last one still has."""

    brought: Mapping[str, int]
    left: Mapping[str, int]


def growth(versions: Mapping[str, str] | None = None) -> Growth:
    """Follow every line through `versions`, texts by name in order; by default train.py's own.

    Blank lines do not count.
    """
    texts = _versions() if versions is None else versions
    lines: list[str] = []
    origins: list[str] = []
    brought: dict[str, int] = {}
    for name, text in texts.items():
        new = [line for line in text.splitlines() if line.strip()]
        made = [name] * len(new)
        for block in SequenceMatcher(None, lines, new, autojunk=False).get_matching_blocks():
            made[block.b : block.b + block.size] = origins[block.a : block.a + block.size]
        brought[name] = made.count(name)
        lines, origins = new, made
    return Growth(brought, {name: origins.count(name) for name in texts})


def _versions() -> dict[str, str]:
    steps = {stage: project.changes(stage) for stage in project.STAGES[1:]}
    first = next(iter(steps.values())).before
    return {project.STAGES[0]: first} | {stage: step.after for stage, step in steps.items()}
