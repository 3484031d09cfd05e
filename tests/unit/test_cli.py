"""The command `course`: its examples hold, it takes every name, no mistake is a traceback."""

import io
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import psutil
import pytest
import typer
from rich.console import Console as RichConsole

from course_authoring import course_map, verify
from course_command import arguments, console
from course_command import main as cli
from course_command.console import Console
from course_grading.commands import _assignment
from course_utils.checking.exercises import exercise_names
from course_utils.errors import CourseError
from course_utils.manifest import Course, load_manifest, repository_root
from course_utils.nearest import nearest, suggestion
from course_workspace import doctor

COURSE = Path(sys.executable).with_name("course")  # also where no environment is active
MANIFEST = load_manifest()
TENSORS = {each.name for each in MANIFEST.assignment("02_tensors").exercises}


def course(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [COURSE, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )


@pytest.fixture
def told(monkeypatch, capsys) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process. Gives its exit status, and what it wrote."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["course", *arguments])
        console.console.__init__()
        with pytest.raises(SystemExit) as end:
            cli.run()
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run


@pytest.fixture
def workspace(tmp_path, monkeypatch) -> Path:
    (tmp_path / "w" / ".course").mkdir(parents=True)
    monkeypatch.setenv("COURSE_WORKSPACE", str(tmp_path / "w"))
    return tmp_path / "w"


def commands(group: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every sub-command, as the words that call it."""
    found = getattr(group, "commands", None)
    if found is None:
        yield path
        return
    for name, command in found.items():
        yield from commands(command, (*path, name))


EVERY = sorted(commands(typer.main.get_command(cli.every_command())))


def example_of(path: tuple[str, ...]) -> list[str]:
    """The words after `course` of the example in a command's help."""
    command = typer.main.get_command(cli.every_command())
    for name in path:
        command = command.commands[name]
    (line,) = re.findall(r"^Example: course (.+)$", command.help, flags=re.M)
    return shlex.split(line)


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_the_example_in_a_commands_help_calls_that_command(path):
    words = example_of(path)
    command = typer.main.get_command(cli.every_command())
    for name in path:
        assert words.pop(0) == name
        command = command.commands[name]
    command.make_context(path[-1], words)  # raises for an option or an argument that it lacks


@pytest.mark.parametrize("path", [("map",), ("progress",), ("shapes",)], ids=" ".join)
def test_an_example_runs(path, told, workspace, monkeypatch):
    monkeypatch.chdir(workspace)
    status, out, _ = told(*example_of(path))
    assert status == 0 and out


def test_the_help_groups_commands_by_who_needs_them(told):
    status, out, _ = told("--help")
    assert status == 0
    places = [
        out.index(panel) for panel in (arguments.LEARNERS, arguments.INSTRUCTORS, arguments.AUTHORS)
    ]
    assert min(places) == places[0]
    assert all(f" {path[0]} " in out for path in EVERY)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "check",
            "`check` is for a cell of a notebook; `course --help` lists the commands.",
        ),
        ("hint tensors.prepare", "`hint` is for a cell of a notebook"),
        ("submitt 02", "There is no command submitt; did you mean submit?"),
        ("xyz", "There is no command xyz; `course --help` lists them."),
        ("project --device cuda:9", "`--gpus` and options of train.py need `--run`. Add it."),
        ("reset --force", "`course reset` has no option --force. `course reset --help` lists"),
        ("reset", "`course reset`: missing argument 'EXERCISE'. `course reset --help` shows"),
        (
            "new exercise",
            "`course new exercise`: missing argument 'name'. `course new exercise --h",
        ),
        (
            "project --run --gpus two",
            "`course project`: invalid value for '--gpus': Input should be a valid",
        ),
    ],
)
def test_a_mistake_in_the_words_is_one_sentence(told, words, sentence):
    status, out, err = told(*words.split())
    assert (status, out, err.count("\n")) == (2, "", 1) and err.startswith(sentence), err


# --- names -------------------------------------------------------------------------------------

BOTH, LESSON, TASKS = (
    ("02_tensors_on_devices", "02_tensors"),
    ("02_tensors_on_devices",),
    ("02_tensors",),
)
NAMES = {
    "02": BOTH,
    "2": BOTH,
    "02_tensors_on_devices": LESSON,
    "02_tensors": TASKS,
    "tensors": TASKS,
    "workspace/lessons/02_tensors_on_devices.ipynb": LESSON,
    "assignments/02_tensors/": TASKS,
}


@pytest.mark.parametrize(("name", "notebooks"), NAMES.items(), ids=NAMES)
def test_a_part_of_the_course_has_many_names(name, notebooks):
    part = MANIFEST.find(name)
    assert part.notebooks == notebooks
    assert part.lesson.number == "02" and part.only_assignment().name == "02_tensors"
    repaired = set() if notebooks == TASKS else {task.name for task in part.lesson.tasks}
    assert verify._chosen(MANIFEST, [name]) == TENSORS | repaired


def test_an_exercise_is_one_of_its_assignment():
    part = MANIFEST.find("tensors.move_batch")
    assert part.notebooks == TASKS and [each.short for each in part.exercises] == ["move_batch"]
    assert verify._chosen(MANIFEST, ["tensors.move_batch"]) == {"tensors.move_batch"}


@pytest.mark.parametrize("name", ["02", "02_tensors_on_devices", "tensors", "tensors.move_batch"])
def test_build_and_progress_take_every_name(name, told, workspace):
    assert told("build", "--check", name)[:2] == (0, "")
    status, out, _ = told("progress", name)
    assert status == 0 and "02 Tensors on devices" in out and "tensors.move_batch" in out


def test_grading_takes_every_name_and_nbgraders_own_first(tmp_path):
    (tmp_path / "source" / "tensors").mkdir(parents=True)
    assert _assignment(tmp_path, "tensors") == "tensors"
    assert {_assignment(tmp_path, name) for name in ("02", "02_tensors", "tensors.find_waits")} == {
        "02_tensors"
    }


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("tensors.mov_batch", "tensors.move_batch"),
        ("move_batch", "tensors.move_batch"),
        ("02_tensor", "02_tensors"),
        ("Tensors.Move_Batch", "tensors.move_batch"),
        ("tensors.nothing", None),
        ("nothing", None),
        ("99", None),
    ],
)
def test_a_name_that_is_near_is_offered_and_no_silly_one(name, meant):
    assert nearest(name, [*exercise_names(), *NAMES]) == meant


@pytest.mark.slow
def test_where_no_name_is_near_it_is_said_where_they_are_listed(told):
    status, out, err = told("build", "tensors.nothing")
    assert (status, out) == (2, "")
    assert err == (
        "There is no lesson, assignment or exercise tensors.nothing; "
        "`course map tensors` lists them.\n"
    )
    assert "tensors.move_batch" in told("map", "tensors")[1]


def test_a_short_list_is_given_whole():
    assert suggestion("x", ["one", "two"], "a list") == "the known names are one, two"
    assert suggestion("x", map(str, range(100)), "a list") == "a list lists them"


# --- mistakes ----------------------------------------------------------------------------------

MISTAKES = [
    (["build", "nope"], "no lesson, assignment or exercise nope"),
    (["absorb", "99"], "no lesson, assignment or exercise 99"),
    (["verify", "tensors.mov_batch"], "did you mean tensors.move_batch?"),
    (["map", "tensor"], "did you mean tensors?"),
    (["progress", "--workspace", "/nonexistent"], "There is no workspace in /nonexistent"),
    (["new", "exercise", "triple"], "Write TOPIC.NAME"),
    (["remove", "tensors.mov_batch"], "did you mean tensors.move_batch?"),
    (["grade"], "Name an assignment"),
    (["grade", "02_tensor"], "did you mean 02_tensors?"),
    (["grade", "02", "--course", "/nonexistent"], "/nonexistent is not an nbgrader course"),
    (["grade", "02", "--minimum", "steel"], "'steel' is not one of 'full', 'no_cgroups'"),
    (["intake", "02", "/nonexistent"], "/nonexistent is not there"),
    (["shapes", "/proc/nope"], "/proc/nope"),
    (["lab", "--port", "lots"], "--port=lots is not a port"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=lambda value: str(value))
def test_a_mistake_is_a_sentence(arguments, sentence, told, workspace):
    status, _, err = told(*arguments)
    assert status == 2
    assert sentence in err.splitlines()[-1] and "Traceback" not in err


@pytest.mark.parametrize("command", ["project", "progress"])
def test_where_there_is_no_workspace_the_variable_that_names_one_is_named(
    command, told, workspace, monkeypatch
):
    """And no option that the command may lack. The variable does what is said of it."""
    monkeypatch.setenv("COURSE_WORKSPACE", str(workspace / "none"))
    status, _, err = told(command)
    assert status == 2 and "in the environment variable COURSE_WORKSPACE" in err
    assert f"{workspace / 'none'}." in err


def test_what_the_system_refuses_is_a_sentence(told, monkeypatch):
    def refused(course: Course) -> str:
        raise PermissionError(13, "Permission denied", "course.toml")

    monkeypatch.setattr(course_map, "overview", refused)
    status, _, err = told("map")
    assert status == 2 and err.count("\n") == 1
    assert "course.toml cannot be read or written" in err


def test_ctrl_c_is_one_line(told, monkeypatch):
    def interrupted(course: Course) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(course_map, "overview", interrupted)
    assert told("map") == (130, "", "Stopped.\n")


def test_what_windows_lacks_is_a_sentence(told, monkeypatch):
    def missing(course: Course) -> str:
        raise ModuleNotFoundError("No module named 'fcntl'", name="fcntl")

    monkeypatch.setattr(course_map, "overview", missing)
    status, _, err = told("map")
    assert status == 2 and err.startswith("This command needs Linux or macOS. On Windows, use ")


@pytest.mark.slow
def test_a_closed_pipe_is_no_mistake():
    done = subprocess.run(
        ["bash", "-c", f"'{COURSE}' map | true"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.more
@pytest.mark.slow
def test_a_busy_port_is_named_before_jupyter_starts(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = course("lab", f"--port={port}", COURSE_WORKSPACE=str(tmp_path / "w"))
    assert done.returncode == 2
    assert f"Port {port} cannot be used" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_workspace_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = course("lab", COURSE_WORKSPACE=str(tmp_path / "file" / "w"))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and "file" in done.stderr


# --- what is said ------------------------------------------------------------------------------


def test_the_map_is_a_line_for_each_lesson_and_their_sums(told):
    status, out, _ = told("map")
    assert status == 0 and len(out.splitlines()) < 30
    for lesson in MANIFEST.lessons:
        row = rf"^ ?{lesson.number} +{re.escape(lesson.title)} +{lesson.minutes} "
        assert re.search(row, out, flags=re.M)
    exercises = MANIFEST.exercises
    minutes, points = (sum(getattr(each, of) for each in exercises) for of in ("minutes", "points"))
    assert re.search(rf"^ +together .* {len(exercises)} +{minutes:,} +{points:,}$", out, flags=re.M)


@pytest.mark.slow
def test_the_map_of_an_exercise_is_its_row(told):
    _, out, _ = told("map", "tensors.move_batch")
    assert "tensors.move_batch" in out and "tensors.find_waits" not in out


def test_progress_is_shown_without_a_notebook(told, workspace):
    status, out, _ = told("progress")
    assert status == 0
    assert f"0 of {len(load_manifest().exercises)} exercises passed." in out and "Next: " in out


def test_each_step_is_told_before_it_is_taken(capsys):
    speaker = Console()
    speaker.doing("Proving one")
    assert capsys.readouterr() == ("", "Proving one …\n")
    speaker.say("✓ one")
    assert capsys.readouterr() == ("✓ one\n", "")


def test_a_log_gets_short_steps_only_after_a_silence(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(console.time, "monotonic", lambda: now[0])
    speaker = Console()
    speaker.doing("one", brief=True)
    now[0] = 3
    speaker.doing("two", brief=True)
    speaker.doing("three", brief=True)
    assert capsys.readouterr().err == "two …\n"


def test_on_a_terminal_what_is_being_done_is_a_line_that_goes_away(monkeypatch, capsys):
    screen = io.StringIO()
    monkeypatch.setattr(
        console, "RichConsole", lambda stderr: RichConsole(file=screen, force_terminal=True)
    )
    speaker = Console()
    speaker.doing("Proving one", brief=True)
    assert "Proving one …" in screen.getvalue()
    before = len(screen.getvalue())
    speaker.say("✓ one")
    assert "\x1b[2K" in screen.getvalue()[before:]  # the line is erased
    assert capsys.readouterr() == ("✓ one\n", "")  # and results go to stdout alone


def test_the_proof_of_an_exercise_is_announced(monkeypatch):
    """Each takes seconds, so a word comes before each, and not only after it."""
    said: list[str] = []

    def nothing_to_prove(self: object) -> Iterator[str]:
        said.append("(proving)")
        yield from ()

    monkeypatch.setattr(verify.Proof, "problems", nothing_to_prove)
    verify.verify_course(
        repository_root(),
        ["tensors.find_waits"],
        said.append,
        lambda what, brief=False: said.append(what),
    )
    assert said.index("Proving tensors.find_waits, 1 of 1") == said.index("(proving)") - 1


# --- the doctor --------------------------------------------------------------------------------


@pytest.mark.more
@pytest.mark.slow
def test_the_doctor_says_what_it_looks_at_and_what_each_lack_means():
    looks: list[str] = []
    findings = list(doctor.examine(looks.append))
    assert [f.name for f in findings] == [
        "Python",
        "PyTorch",
        "NVIDIA driver",
        "GPUs",
        "Virtual CUDA",
        "nbgrader",
        "Sandbox",
        "Chromium",
    ]
    assert len(looks) == len(findings)
    for finding in findings:
        assert finding.detail
        assert finding.present or (finding.means and finding.advice)


def test_the_doctors_sandbox_is_the_one_that_grades(monkeypatch):
    from course_grading import doctor, sandbox

    for level in sandbox.Level:
        probed = sandbox.ProbeResult(level, ("FULL: no control groups.",))
        monkeypatch.setattr(doctor, "probe", lambda probed=probed: probed)
        finding = doctor.sandbox()
        assert finding.present == (level >= sandbox.Level.NO_CGROUPS)
        assert level.name in finding.detail
        assert finding.present or "no control groups" in finding.advice


def test_the_probe_tells_of_a_machine_that_is_small_and_busy(monkeypatch):
    from course_grading import doctor, sandbox

    gib = 1 << 30
    probed = sandbox.ProbeResult(sandbox.Level.NO_CGROUPS, ())
    monkeypatch.setattr(doctor, "probe", lambda: probed)
    monkeypatch.setattr(doctor, "slowness", lambda: 5.0)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=gib))
    monkeypatch.setattr(psutil, "swap_memory", lambda: SimpleNamespace(total=8 * gib))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    said = doctor.describe_machine()
    assert "1.0 GiB are free, and 2 workers can need 4.0 GiB" in said and "--workers" in said
    assert "Swap: 8.0 GiB. Below the level FULL" in said
    assert "one second of processor time takes 5.0 seconds. Above 4" in said and "Clock: " in said


@pytest.mark.parametrize(("essential", "able"), [(True, False), (False, True)])
def test_only_an_essential_lack_fails(monkeypatch, essential, able):
    lack = doctor.MachineCheck("Thing", False, "gone", "It hurts.", "Get one.", essential=essential)
    monkeypatch.setattr(doctor, "examine", lambda doing: iter([lack]))
    said: list[str] = []
    assert doctor.report(said.append) is able
    assert "It hurts. Get one." in said[1]


@pytest.mark.parametrize(("able", "status"), [(True, 0), (False, 1)])
def test_the_doctor_ends_as_its_help_says(told, monkeypatch, able, status):
    monkeypatch.setattr(doctor, "report", lambda say, doing: able)
    assert told("doctor")[0] == status


def test_a_lesson_without_an_assignment_is_named(tmp_path):
    part = MANIFEST.find("01")
    with pytest.raises(CourseError, match="Lesson 01 has no assignment"):
        type(part)(part.lesson, None, (), part.notebooks).only_assignment()
