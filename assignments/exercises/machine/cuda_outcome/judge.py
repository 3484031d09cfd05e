"""Judge `cuda_outcome` by the two lists of its task; rivals have one rule changed."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

Compare = Callable[[str, str], bool]


def _major(version: str) -> int:
    return int(version.split(".")[0])


def _number(version: str) -> float:
    return float(version)


def _lower_major(one: str, other: str) -> bool:
    return _major(one) < _major(other)


def _other_major(one: str, other: str) -> bool:
    return _major(one) != _major(other)


def outcome(
    action: str,
    driver: str | None,
    pytorch: str | None,
    toolkit: str | None,
    *,
    too_old: Compare = _lower_major,
    unfit: Compare = _other_major,
    built: bool = True,
    toolkit_runs: bool = False,
    driver_compiles: bool = False,
) -> str:
    """What happens. By default by the task's rules.

    too_old, unfit: which drivers and toolkits do not go with PyTorch. built: whether a build for
    the CPU is noticed. toolkit_runs, driver_compiles: whether these are asked for as well.
    """
    if pytorch is None:
        if built:
            return "CPU build"
        pytorch = driver or toolkit or "11.0"
    if action == "run" or driver_compiles:
        if driver is None:
            return "no driver"
        if too_old(driver, pytorch):
            return "driver too old"
    if action == "compile" or toolkit_runs:
        if toolkit is None:
            return "no toolkit"
        if unfit(toolkit, pytorch):
            return "other toolkit"
    return "runs" if action == "run" else "compiles"


def _toolkit_for_the_driver(
    action: str, driver: str | None, pytorch: str | None, toolkit: str | None
) -> str:
    """Compares the toolkit with the driver instead of with PyTorch."""
    partner = driver if action == "compile" and pytorch else pytorch
    return outcome(action, driver, partner, toolkit)


def _rival(finding: str, **changes: Any) -> Rival:
    return Rival(finding, lambda **data: outcome(**data, **changes))


class CudaOutcome(OracleJudge):
    form, types, otherwise = "a string", ("str",), "other-outcome"
    rivals = (
        _rival("cpu-build-missed", built=False),
        _rival("minor-compared", too_old=lambda one, other: _number(one) < _number(other)),
        _rival("newer-driver-refused", too_old=_other_major),
        _rival("newer-driver-refused", too_old=lambda one, other: one != other),
        Rival("driver-to-compile", _toolkit_for_the_driver),
        _rival("toolkit-minor", unfit=lambda one, other: one != other),
        _rival("newer-toolkit-accepted", unfit=_lower_major),
        _rival("toolkit-to-run", toolkit_runs=True),
        _rival("driver-to-compile", driver_compiles=True),
    )

    def oracle(self, **data: Any) -> str:
        return outcome(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        low, high = sorted(rng.sample(range(1, 9), 2))
        rows: list[tuple[str, str, str | None, str | None, str | None]] = [
            ("run: the same version", "run", f"12.{low}", f"12.{low}", None),
            (
                "run: the same major version, and an older driver",
                "run",
                f"12.{low}",
                f"12.{high}",
                None,
            ),
            (
                "run: the same major version, and a newer driver",
                "run",
                f"12.{high}",
                f"12.{low}",
                None,
            ),
            ("run: a driver of a higher major version", "run", "13.0", f"12.{high}", None),
            ("run: a driver of a lower major version", "run", f"11.{high}", f"12.{low}", None),
            ("run: no driver", "run", None, f"12.{low}", f"12.{low}"),
            ("run: a build for the CPU", "run", f"12.{low}", None, f"12.{low}"),
            ("run: a build for the CPU, and no driver", "run", None, None, None),
            (
                "run: a toolkit of another major version",
                "run",
                f"12.{low}",
                f"12.{high}",
                f"11.{low}",
            ),
            ("compile: the same version", "compile", f"12.{low}", f"12.{low}", f"12.{low}"),
            ("compile: another minor version", "compile", f"12.{low}", f"12.{low}", f"12.{high}"),
            (
                "compile: a driver of another major version",
                "compile",
                "13.0",
                f"12.{low}",
                f"12.{high}",
            ),
            ("compile: an older toolkit", "compile", f"12.{high}", f"12.{low}", f"11.{high}"),
            ("compile: a newer toolkit", "compile", f"12.{high}", f"12.{low}", "13.0"),
            ("compile: no toolkit", "compile", f"12.{high}", f"12.{low}", None),
            ("compile: no driver", "compile", None, f"12.{low}", f"12.{low}"),
            ("compile: an old driver", "compile", f"11.{high}", f"12.{low}", f"12.{high}"),
            ("compile: a build for the CPU", "compile", f"12.{low}", None, f"12.{low}"),
            ("compile: a build for the CPU, and no toolkit", "compile", f"12.{low}", None, None),
            ("the task's example of running", "run", "12.4", "12.6", None),
            ("the task's example of compiling", "compile", "12.4", "12.6", "11.8"),
        ]
        names = ("action", "driver", "pytorch", "toolkit")
        return [Case(title, dict(zip(names, values, strict=True))) for title, *values in rows]

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        given = ", ".join(f"{name} {data[name]}" for name in ("driver", "pytorch", "toolkit"))
        return f"{clip(brief(described), 60)} for {data['action']!r}, {given}"


judge = CudaOutcome()
