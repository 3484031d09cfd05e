"""Requests to the worker, and its replies, which are checked before they are used."""

import builtins
from typing import Any

import torch

from course_grading.job import TimeLimits
from course_grading.protocol import JudgeEnd, ProtocolError
from exercise_kit.contract import Case
from exercise_kit.limits import wall_limit
from exercise_kit.runner import Seen
from exercise_kit.sent import received
from exercise_kit.text import clip

_LONGEST = 30.0  # seconds of processor time for a case, in any exercise


class CheckerReplaced(Exception):
    """The submission changed the code that observes answers."""


def run_cell(pipe: JudgeEnd, request: dict[str, Any], times: TimeLimits) -> dict[str, Any]:
    """The reply to a request to run a cell, within the limits for a cell."""
    limits = {"seconds": times.cell, "patience": times.patience}
    return send_request(pipe, request | limits, times.cell, times.patience)


def put_case(
    pipe: JudgeEnd, case: Case, seconds: float, patience: float, *, anew: bool = False
) -> Seen | None:
    """The worker's reply to a case. seconds: of processor time. patience: factor on the wall clock.

    anew: run the case on a copy of the answer that was never called; None without such a copy.
    Raises ProtocolError for a reply of an unknown form.
    """
    request = {"do": "case", "data": case.data, "patience": patience, "anew": anew}
    reply = send_request(pipe, request, min(seconds, _LONGEST), patience)
    try:
        return received(reply, is_known_exception)
    except ValueError as error:
        raise ProtocolError("the reply has an unknown form") from error


def send_request(
    pipe: JudgeEnd, request: dict[str, Any], seconds: float, patience: float
) -> dict[str, Any]:
    """The reply to a request that may take so many seconds of processor time.

    The worker stops longer work itself. This waits half as long again, in case it is prevented.
    """
    reply = pipe.ask(request, 1.5 * wall_limit(seconds, patience))
    if "fault" in reply:
        raise ProtocolError(f"the observer failed: {clip(str(reply['fault']), 300)}")
    if reply.pop("tripped", False):
        raise CheckerReplaced("the submission replaced a part of the checker")
    return reply


def is_known_exception(name: str) -> bool:
    """Whether Python or torch has an exception of this name."""
    return any(
        isinstance(kind := getattr(module, name, None), type) and issubclass(kind, BaseException)
        for module in (builtins, torch, torch.cuda)
    )
