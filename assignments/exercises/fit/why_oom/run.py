"""A program that runs out of memory: which line is to be changed follows from a number."""

import random
import re
from typing import Any, NamedTuple

from exercise_kit.diagnosis import Program
from exercise_kit.programs.launcher import LaunchFault

from ...parallel.launching import importing, run_ranks
from .. import limited
from ..program import FAULTY, PROGRAM, SOUND

CAUSES = ("whole states", "whole gather", "activations", "logits", "temporaries", "kept graph")
in_processes = True


class _Size(NamedTuple):
    """What is drawn: of a model, of its batch, and of the program's memory in MiB."""

    width: int
    blocks: int
    vocabulary: int
    tokens: int
    ranks: int
    limit: int


# Measured: the limit is between what the program needs with its fault and without it. For logits,
# it is also less than what outputs in parts need without a checkpoint.
_SIZES = {
    "whole states": (_Size(256, 6, 256, 64, 4, 32), _Size(192, 10, 256, 64, 4, 30)),
    "whole gather": (_Size(256, 6, 256, 64, 4, 28), _Size(192, 10, 256, 64, 4, 26)),
    "activations": (_Size(64, 6, 64, 2048, 1, 22), _Size(32, 6, 64, 4096, 1, 20)),
    "logits": (_Size(64, 2, 2048, 1024, 1, 12), _Size(32, 2, 2048, 1024, 1, 10)),
    "temporaries": (_Size(192, 8, 256, 64, 1, 44), _Size(160, 10, 256, 64, 1, 38)),
    "kept graph": (_Size(64, 6, 64, 2048, 1, 18), _Size(32, 8, 64, 4096, 1, 18)),
}
_PLACES = ("shard", "block", "loss", "optimizer", "check")
_LINES = dict(zip(_PLACES, (27, 20, 22, 28, 36), strict=True))
_RUN, _MAKE = (32, 33, 34, 35), (16, 18, 26, 29)  # lines that allocate what others decide
_FEW = 64  # tokens of a small batch
_PLACE = dict(zip(CAUSES, ("shard", *_PLACES), strict=True))
_CHILD = importing(limited)


def draw(run: int) -> Program:
    """The program of the run with this number."""
    cause, size, chosen = _plan(run)
    place = _PLACE[cause]
    lines = _program(run, size, chosen)
    innocent = dict.fromkeys(_RUN, "line-runs") | dict.fromkeys(_MAKE, "line-made")
    innocent |= {line: f"{other}-right" for other, line in _LINES.items() if other != place}
    right = {"fits": True, "trained": "as before", "checked": "as before"}
    return Program(lines, _LINES[place], cause, right, innocent)


def _plan(run: int) -> tuple[str, _Size, dict[str, str]]:
    """The cause, the sizes, and the lines in question."""
    rng = random.Random(f"out of memory in run {run}")
    cause = rng.choice(CAUSES)
    size = rng.choice(_SIZES[cause])
    chosen = {each: rng.choice(SOUND[each]) for each in _PLACES}
    # A line without its remedy needs none where there are few tokens, or few parameters.
    for other in ("activations", "logits") if size.tokens == _FEW else ("temporaries",):
        if rng.random() < 0.5:
            chosen[_PLACE[other]] = rng.choice(FAULTY[other])
    chosen[_PLACE[cause]] = rng.choice(FAULTY[cause])
    return cause, size, chosen


def _program(run: int, size: _Size, chosen: dict[str, str]) -> list[str]:
    steps = 4 if size in _SIZES["kept graph"] else 2
    more = {"wide": 4 * size.width, "more": size.tokens + 1, "steps": steps}
    return PROGRAM.format(run=run, **size._asdict(), **more, **chosen).splitlines()


def execute(source: str) -> dict[str, Any]:
    """fits: whether the program needs no more than its memory. trained, checked: whether its losses
    are those of the program without a fault, or a text.

    Raises RuntimeError for another error.
    """
    found = re.search(r"run (\d+)", source.partition("\n")[0])
    run = int(found[1]) if found else 1
    _, size, _ = _plan(run)
    sound = "\n".join(_program(run, size, {each: SOUND[each][0] for each in _PLACES}))
    seen, alone, right = _played(f"fitting(*{(source, sound, size.limit, size.ranks)!r})")
    if not right or seen["most"] > size.limit:
        return {"fits": f"no: {_brief(seen['error']) or 'the limit was changed'}"}
    told = {name: _compared(alone[name], right[name]) for name in ("trained", "checked")}
    return {"fits": True, **told}


def explain(fact: str, change: str) -> str | None:
    """The finding for a line with which the program does not fit, or None."""
    if fact != "fits":
        return None
    if re.search(r"empty_cache|collect\(|\bdel\b", change):
        return "nothing-to-free"
    if "self.loss" in change and "checkpoint" not in change:
        return "parts-kept"
    return "root-only" if "fully_shard(net)" in change else None


def _compared(losses: list[float] | str, right: list[float]) -> str:
    if isinstance(losses, str):
        return losses
    if len(losses) != len(right):
        return f"{len(losses)} in place of {len(right)}"
    pairs = zip(losses, right, strict=True)
    alike = all(abs(loss - wanted) <= 1e-3 * wanted for loss, wanted in pairs)
    return "as before" if alike else f"other numbers: {losses}"


def _brief(error: str) -> str:
    return error.partition(" GPU 0")[0]


def _played(call: str) -> Any:
    """The result of a call of a function in limited.py, in a new process."""
    found, error = run_ranks(f"{_CHILD}\n\ndef facts():\n    return limited.{call}\n", 1)
    if error == "a rank still waits":
        raise LaunchFault("a program did not end")
    if error:
        raise RuntimeError(error)
    return found[0]


def show(run: int) -> str:
    """The program, its error, and the memory in use at that moment by line."""
    program = draw(run)
    _, size, _ = _plan(run)
    source = "\n".join(program.lines)
    seen = _played(f"played({source!r}, {size.limit}, lines=True)")
    rows = [
        f"{mib:7.1f}  line {line:2}: {program.lines[line - 1].strip()}"
        for line, mib in seen["used"]
        if mib >= 0.1
    ]
    return "\n".join(
        [
            program.numbered(),
            "",
            f"line {seen['line']}, in step {len(seen['trained']) + 1}: torch.OutOfMemoryError: "
            f"{_brief(seen['error'])}",
            f"In use at that moment, of {size.limit} MiB, by the line that allocated it:",
            *rows,
        ]
    )
