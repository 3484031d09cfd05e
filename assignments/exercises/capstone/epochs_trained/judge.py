"""Judge `epochs_trained` by playing the runs; rivals play them with one rule changed."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from course_utils.checking.contract import Case
from course_utils.checking.oracle import OracleJudge, Rival


def played(
    epochs: int, every: int, killed: Sequence[int], resume: Callable[[int, int], int]
) -> list[int]:
    """The epochs that all runs begin; `resume` tells the first after one was killed in `epoch`."""
    begun, first = [], 1
    for epoch in killed:
        begun += range(first, epoch + 1)
        first = resume(epoch, every)
    return begun + list(range(first, epochs + 1))


def _after_the_checkpoint(epoch: int, every: int) -> int:
    return (epoch - 1) // every * every + 1


def _at_the_checkpoint(epoch: int, every: int) -> int:
    return max(1, (epoch - 1) // every * every)


def _rival(resume: Callable[[int, int], int]) -> Callable[..., list[int]]:
    return lambda epochs, every, killed: played(epochs, every, killed, resume)


def _finished_only(epochs: int, every: int, killed: Sequence[int]) -> list[int]:
    """Without the epochs in whose middle a run was killed."""
    finished, first = [], 1
    for epoch in killed:
        finished += range(first, epoch)
        first = _after_the_checkpoint(epoch, every)
    return finished + list(range(first, epochs + 1))


def _first_kill_only(epochs: int, every: int, killed: Sequence[int]) -> list[int]:
    return played(epochs, every, killed[:1], _after_the_checkpoint)


def _last_run(epochs: int, every: int, killed: Sequence[int]) -> list[int]:
    first = _after_the_checkpoint(killed[-1], every) if killed else 1
    return list(range(first, epochs + 1))


def _checkpoint_of_this_run(epochs: int, every: int, killed: Sequence[int]) -> list[int]:
    """A run that is killed before it saved anything leaves nothing, whatever the others saved."""
    begun, first = [], 1
    for epoch in killed:
        begun += range(first, epoch + 1)
        after = _after_the_checkpoint(epoch, every)
        first = after if after > first else 1
    return begun + list(range(first, epochs + 1))


def _last_run_missing(epochs: int, every: int, killed: Sequence[int]) -> list[int]:
    begun = played(epochs, every, killed, _after_the_checkpoint)
    return begun[: len(begun) - len(_last_run(epochs, every, killed))]


class EpochsTrained(OracleJudge):
    form, types, otherwise = "a list of numbers", ("list", "tuple"), "other-epochs"
    rivals = (
        Rival("nothing-lost", _rival(lambda epoch, every: epoch)),
        Rival("begins-again", _rival(lambda epoch, every: 1)),
        Rival("saved-epoch-again", _rival(_at_the_checkpoint)),
        Rival("unfinished-epoch-saved", _rival(lambda epoch, every: epoch // every * every + 1)),
        Rival("killed-epoch-not-listed", _finished_only),
        Rival("one-kill-only", _first_kill_only),
        Rival("last-run-only", _last_run),
        Rival("earlier-checkpoint-forgotten", _checkpoint_of_this_run),
        Rival("last-run-missing", _last_run_missing),
        Rival("each-epoch-once", lambda epochs, every, killed: list(range(1, epochs + 1))),
    )

    def oracle(self, **data: Any) -> list[int]:
        return played(**data, resume=_after_the_checkpoint)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        every = rng.randint(3, 4)
        later = rng.randint(1, every - 2)  # epochs that are lost, short of a whole round
        end = 3 * every + rng.randint(1, 2)

        def case(title: str, every: int, *killed: int, epochs: int = end) -> Case:
            return Case(title, {"epochs": epochs, "every": every, "killed": list(killed)})

        return [
            case("the task's example", 2, 4, 5, epochs=6),
            case("killed once, some epochs after a checkpoint", every, every + 1 + later),
            case("killed once, in the epoch that would have been saved", every, 2 * every),
            case("killed right after a checkpoint", every, 2 * every + 1),
            case("killed before the first checkpoint", every, 1 + later),
            case("killed in the first epoch", every, 1),
            case("killed in the last epoch", every, end),
            case("killed twice in one epoch", every, every + 1 + later, every + 1 + later),
            case("killed again, and earlier than before", every, 2 * every, every + 1 + later),
            case("killed three times", every, 1 + later, every + 1, 2 * every + 1 + later),
            case("saved after every epoch", 1, rng.randint(3, 5), rng.randint(6, 8)),
            case("never saved before the end", end + 1, rng.randint(3, 6)),
            case("never killed", every),
        ]


judge = EpochsTrained()
