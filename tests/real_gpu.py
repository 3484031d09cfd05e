"""`make real-gpu`: compare the course with this computer's own GPUs, in any number.

Each step runs in processes of its own, and its result is kept, so that a second call goes on where
the first one stopped. The end is one file, next to the recordings of virtual_cuda. It is committed,
and `contradictions` then says what the course and its authors had expected otherwise.
"""

import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "packages/virtual_cuda/tests"))

from conformance import record, runner  # noqa: E402
from conformance.programs import PROGRAMS  # noqa: E402
from conformance.recording import Recording  # noqa: E402
from course_utils.checking.exercises import exercise, exercise_names  # noqa: E402
from course_utils.experiments.recording import Recording as SpanRecording  # noqa: E402
from lesson_parts.own_gpu import measured  # noqa: E402

PARTIAL = ROOT / "real-gpu.partial.json"
MINUTES = 15
PICTURES = {
    "02.waits": "lesson_parts.lesson02.waits.own_loops",
    "08.speeds": "lesson_parts.lesson08.own.own_speeds",
}
OUTCOMES = "tests.known_outcomes.outcomes"
Steps = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True)
class World:
    """The GPUs that are compared. name: a world of conformance. before: code of each child."""

    gpus: tuple[str, ...]
    driver: str
    name: str = "cuda"
    before: str = ""

    def value(self, function: str, *arguments: Any) -> Any:
        """The JSON value of a call in a child process with these GPUs."""
        return measured(function, *arguments, before=self.before)


def machine(world: World) -> dict[str, Any]:
    """The fields of a recording that say what was compared, and on what."""
    return {
        "gpus": list(world.gpus),
        "driver": world.driver,
        "torch": torch.__version__,
        "cuda": str(torch.version.cuda),
        "python": platform.python_version(),
        "system": platform.system(),
    }


def steps(world: World) -> Steps:
    """What is compared: pictures, known answers, programs and probes, as far as they fit."""
    count = len(world.gpus)
    found: dict[str, Callable[[], Any]] = {
        f"picture {key}": lambda call=call: world.value(call) for key, call in PICTURES.items()
    }
    for name in exercise_names():
        known = exercise(name)
        if known.is_data and known.observer.gpus != 0:
            found[f"answers {name}"] = lambda name=name: world.value(OUTCOMES, name, count)
    groups: dict[str, list[Any]] = {}
    for program in PROGRAMS.values():
        if runner.unrunnable(program, count) is None:
            groups.setdefault(program.process, []).append(program)
    for process, group in groups.items():
        found[f"programs {process}"] = lambda group=group: runner.run(
            group, world.name, count, at_once=1
        )
    return found


def measure(world: World, todo: Steps, partial: Path, minutes: float) -> Recording | None:
    """The finished recording; None if the time was over, or Ctrl-C came. Then call it again."""
    state = {"machine": machine(world), "steps": [*todo], "done": {}}
    if partial.exists():
        before = json.loads(partial.read_text(encoding="utf-8"))
        if all(before[key] == state[key] for key in ("machine", "steps")):
            state = before
    done, begun = state["done"], time.monotonic()
    print(f"{len(todo)} steps on {', '.join(world.gpus)}; {len(done)} are done already.")
    print(f"This takes about {MINUTES} minutes on one GPU, and stops after {minutes:g} minutes or")
    print("at Ctrl-C. The next call goes on from there. Nothing is sent anywhere.")
    try:
        for number, (name, step) in enumerate(todo.items(), start=1):
            if name in done:
                continue
            if time.monotonic() - begun > 60 * minutes:
                raise KeyboardInterrupt
            print(f"{number} of {len(todo)}: {name}", flush=True)
            try:
                done[name] = step()
            except Exception as error:  # the others are of use without it
                done[name] = {"failed": str(error)}
            partial.write_text(json.dumps(state), encoding="utf-8")
    except KeyboardInterrupt:
        print(f"Stopped: {len(done)} of {len(todo)} steps are done. Run it again to go on.")
        return None
    return _recording(world, done)


def _recording(world: World, done: Mapping[str, Any]) -> Recording:
    """The results of all steps as one recording."""
    facts: dict[str, Any] = {}
    course: dict[str, dict[str, Any]] = {"picture": {}, "answers": {}}
    for name, found in done.items():
        kind, _, key = name.partition(" ")
        if kind == "programs":
            facts |= found
        else:
            course[kind][key] = found
    count = len(world.gpus)
    missing = {name: runner.unrunnable(each, count) for name, each in PROGRAMS.items()}
    died = {
        n: f["failed"] for n, f in facts.items() if f.get("failed", {}).get("type") == "process"
    }
    missing |= {name: failed["text"] for name, failed in died.items()}
    return Recording(
        **machine(world),
        facts={name: found for name, found in facts.items() if name not in died},
        not_recorded={name: why for name, why in missing.items() if why},
        course=course,
    )


def contradictions(recording: Recording) -> Iterator[str]:
    """What the file shows, and the course does not: of programs, answers and pictures."""
    yield from recording.disagreements(PROGRAMS.values())
    count = len(recording.gpus)
    played = played_world(count)
    for name, shown in recording.course.get("answers", {}).items():
        expected = played.value(OUTCOMES, name, count)
        for answer in sorted({*shown, *expected}):
            if shown.get(answer) != expected.get(answer):
                what = f"{shown.get(answer)!r}, not {expected.get(answer)!r} as on virtual GPUs"
                yield f"{name}, {answer}: {what}"
    pictures = recording.course.get("picture", {})
    if any("failed" in found for found in pictures.values()):
        yield f"a picture was not measured: {pictures}"
        return
    if loops := pictures.get("02.waits"):
        waits = [len(loop["lanes"]["host"]) - 1 for loop in loops]  # the last is its end
        if waits != [6, 3, 2, 1, 1, 1]:
            yield f"02.waits: the program waits {waits} times"
        idle = [SpanRecording(**loop).gaps() for loop in loops]
        if idle[0] <= idle[-1]:
            yield f"02.waits: a wait in every step leaves the GPU no longer idle: {idle} µs"
    if speeds := pictures.get("08.speeds"):
        rates = [rate for _, rate in speeds.values()]
        if not rates[0] < rates[-1] < 1.75 * rates[-2]:
            yield f"08.speeds: the last step from 240 to 480 images is no plateau: {rates}"


def played_world(count: int) -> World:
    """Virtual GPUs in the part of real ones: they show what a recording is compared with."""
    before = f"""
import virtual_cuda
from course_utils import devices
virtual_cuda.enable({count}, quiet=True, hide_real_gpus=True)
devices._real_lab = lambda gpus: devices.Lab("real", devices._numbered(gpus))"""
    return World(("played",) * count, "none", "virtual", before)


def main() -> int:
    """The exit status: 0 if the file was written, 1 if it is not complete or there is no GPU."""
    if not torch.cuda.is_available():
        print("Nothing was recorded: PyTorch finds no GPU on this computer.")
        return 1
    names = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    world = World(tuple(names), record.driver_version())
    minutes = float(sys.argv[1]) if sys.argv[1:] else MINUTES
    recording = measure(world, steps(world), PARTIAL, minutes)
    if recording is None:
        return 1
    path = recording.save()
    PARTIAL.unlink()
    print(f"All is in one file: {path.relative_to(ROOT)}. Send it to the authors, or commit it.")
    print("It names your GPUs, their driver, and versions of PyTorch, CUDA and Python.")
    for text in contradictions(recording):
        print(f"otherwise than in the course: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
