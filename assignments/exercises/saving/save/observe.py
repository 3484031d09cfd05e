"""Observe `save` and `resume` in train.py: runs that are stopped, and those that go on."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from course_utils.program.observer import HoleObserver, digest
from exercise_kit import Facts
from exercise_kit.programs.observer import ProgramRun

_EPOCH = re.compile(r"^epoch (\d+):", re.MULTILINE)


class SaveAndResume(HoleObserver):
    """Facts: `error`, the first in any run, and `system`, what the system refused. For each run
    `ends`, `begins`, the first epoch that it finished, and `files`, what it left at the path of the
    checkpoint. `spare`: where a run that is killed before a rename has its new file. `over`:
    whether a run wrote into the file that another one had left. `said`: whether each that ended by
    itself before its end said why. And in the end `epochs`, `steps`, `weights`, and `generator`,
    whose state is compared with that of a run without a stop.
    """

    _files: list[str]
    _spare: str | None

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of a case's runs."""
        self._files, self._over, self._spare = [], False, None
        return super().observe(answer, inputs)

    def run(
        self, folder: Path, words: Sequence[str], *args: Any, keeps: int | None = None, **given: Any
    ) -> ProgramRun:
        """As usual. keeps: before that, all but so many bytes of the checkpoint are cut off."""
        file = folder / "run.pt"
        if keeps is not None and file.exists():
            file.write_bytes(file.read_bytes()[:keeps])
        there = {*folder.iterdir(), file}
        if not file.exists():
            run = super().run(folder, words, *args, **given)
        else:
            with file.open("rb") as before:  # still this one, if another gets its name
                held = before.read()
                run = super().run(folder, words, *args, **given)
                before.seek(0)
                self._over |= before.read() != held
        self._files.append(_content(file))
        if "event" in (given.get("stop") or {}):
            beside = any(each.is_file() for each in {*folder.iterdir()} - there)
            self._spare = "the folder of `path`" if beside else "another folder"
        return run

    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts of all runs, and of the checkpoint in the end."""
        seen = super().look(folder, runs, data)
        pairs = [*zip(runs, data["runs"], strict=True)]
        whole = [run for run, asked in pairs if "keeps" not in asked]  # may end with any error
        return {
            "error": next((run.error for run in whole if run.error), None),
            "system": next(filter(None, (_refused(run.last) for run in whole)), None),
            "ends": [f"{_end(run.end)} of {_called(asked['words'])}" for run, asked in pairs],
            "files": self._files,
            "begins": [_first(run.printed) for run in runs],
            "over": self._over,
            **({"spare": self._spare} if self._spare else {}),
            "said": [bool(run.printed.strip()) for run in runs],
            **{name: seen[name] for name in ("epochs", "steps", "weights") if "epochs" in seen},
            **({"generator": _generator(folder / "run.pt")} if "epochs" in seen else {}),
        }

    def told(self, facts: Facts, references: Mapping[str, Any]) -> Facts:
        """The facts with weights and generator compared."""
        told = super().told(facts, references)
        if "generator" not in facts:
            return told
        same = facts["generator"] == references["generator"]
        return {**told, "generator": "as without a stop" if same else "another"}


def _end(end: int | str) -> str:
    if isinstance(end, str):
        return end
    return "an error code" if end else "exit code 0"


def _called(words: Sequence[str]) -> str:
    """The command of a run, without the settings that all runs share."""
    return " ".join(["`train.py", *words[2:]]) + "`"


def _refused(said: str) -> str | None:
    """What the system says, if it is that. torch.load seeks before the beginning of a torn file."""
    if not said.startswith("[Errno"):
        return None
    return f"{said} (in a file whose end is missing)" if "Invalid argument" in said else said


def _content(file: Path) -> str:
    if not file.exists():
        return "no checkpoint"
    try:
        state = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:
        return f"a file that does not load: {type(error).__name__}"
    whole = isinstance(state, dict) and {"model", "optimizer", "generator", "log"} <= set(state)
    return "a checkpoint" if whole else "a part of the state"


def _generator(file: Path) -> str | None:
    """The digest of the generator's state in a checkpoint; None without it."""
    state = torch.load(file, map_location="cpu", weights_only=True).get("generator")
    return digest(state) if isinstance(state, torch.Tensor) else None


def _first(printed: str) -> int:
    """The first epoch that a run tells of; 0 if it finished none."""
    found = _EPOCH.search(printed)
    return int(found[1]) if found else 0


observer = SaveAndResume("saving.save")
