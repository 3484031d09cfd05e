"""What a lesson calls: the changes, a run and its mistakes, and the two pictures."""

import html
import io
import os
import re
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest
from PIL import Image

from course_utils.errors import CourseError
from course_utils.experiments.fork_server import LAUNCHER
from lesson_parts.changes import Changes
from lesson_parts.lesson12.moves import moved_run
from lesson_parts.project import EpochResult, Sample, TrainingRun, changes, network, train
from lesson_parts.shapes import SHAPES
from lesson_parts.training import learning_curve, sample_sheet

from .conftest import PROGRAMS


def write_program(home: Path, text: str) -> None:
    (home / "02" / "train.py").write_text(text)


# ---------------------------------------------------------------- changes


def test_changes_can_be_undone_from_the_text():
    shown = changes("03")
    added = [line[1:] for line in shown.lines if line.startswith("+")]
    removed = [line[1:] for line in shown.lines if line.startswith("-")]
    old, new = ((PROGRAMS / s / "train.py").read_text("utf-8") for s in ("02", "03"))
    assert set(new.splitlines()) - set(old.splitlines()) <= set(added)
    assert set(old.splitlines()) - set(new.splitlines()) <= set(removed)
    assert (shown.added, shown.removed) == (len(added), len(removed))
    assert repr(shown).startswith(f"From 02/train.py to 03/train.py: {len(added)} lines added")


def test_signs_tell_what_colours_tell():
    shown = Changes("same\na < b\n", "same\na > b\n", ("one", "two"))
    page = shown._repr_html_()
    assert re.findall(r"<(?:ins|del)[^>]*>([^<]*)<", page) == ["- a &lt; b", "+ a &gt; b"]
    words = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert "a > b" in words and "one to two: 1 line" in words


def test_nothing_changed_is_said():
    assert repr(Changes("x", "x", ("one", "two"))) == "one and two are the same."


def test_a_learners_own_version_is_what_is_compared(home):
    write_program(home, "mine = 1\n")
    assert "-mine = 1" in changes("03").lines


@pytest.mark.parametrize(
    ("stage", "sentence"),
    (
        ("13", "There is no version '13' of train.py: the versions are start, 02"),
        ("start", "Nothing comes before the version 'start'"),
    ),
)
def test_a_version_that_is_not_there(stage, sentence):
    with pytest.raises(CourseError, match=sentence):
        changes(stage)


def test_a_workspace_without_the_versions_has_those_of_the_course(home):
    delivered = changes("03").lines
    shutil.rmtree(home / "03")
    assert changes("03").lines == delivered != []


# ---------------------------------------------------------------- network


def test_a_network_is_that_of_its_version_and_nothing_is_trained_for_it(home):
    assert "mean" not in network("02").state_dict()
    mean = network("03").state_dict()["mean"]
    assert mean.flatten().tolist() == pytest.approx([0.43, 0.36, 0.47])
    assert not (home / "runs").exists()


# ---------------------------------------------------------------- train


def test_lines_are_passed_on_as_they_come_and_a_failure_is_a_sentence(home, capsys):
    write_program(home, "print('epoch 1/6: accuracy 50%')\nraise ValueError('a mistake')\n")
    with pytest.raises(CourseError, match=r"^02/train.py without a GPU failed .*: a mistake$") as e:
        train("02")
    assert "\n" not in str(e.value)
    shown = capsys.readouterr().out
    assert "epoch 1/6: accuracy 50%\n" in shown and "ValueError: a mistake\n" in shown
    assert "1/6" in shown.replace("epoch 1/6", "")  # the bar


def write_log(home: Path, first: int) -> None:
    write_program(
        home,
        "import json, sys\n"
        "out = sys.argv[sys.argv.index('--out') + 1]\n"
        "log = open(out + '/log.jsonl', 'a')\n"
        f"for epoch in range({first}, {first + 2}):\n"
        "    print(f'epoch {epoch}/4: accuracy 50%, 9 pictures per s, peak 1 MiB')\n"
        "    line = {'epoch': epoch, 'loss': 1, 'accuracy': 0.5, 'seconds': 1}\n"
        "    log.write(json.dumps(line) + '\\n')\n",
    )


def test_a_run_that_goes_on_says_from_which_epoch(home):
    (home / "runs" / "one").mkdir(parents=True)
    write_log(home, 1)
    assert train("02", "--resume", out="one").name == "02/train.py --resume without a GPU"
    write_log(home, 3)
    again = train("02", "--resume", out="one")
    assert len(again.log) == 4
    assert again.name == "02/train.py --resume from epoch 3 without a GPU"


@pytest.mark.slow
def test_on_virtual_gpus_a_rate_says_whose_it_is(home, capsys):
    (home / "runs" / "one").mkdir(parents=True)
    write_log(home, 1)
    for gpus, rate in ((0, "per s, peak"), (1, "per s (measured on the CPU), peak")):
        train("02", "--resume", out="one", gpus=gpus)
        assert f"9 pictures {rate} 1 MiB" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("warm", (True, False))
def test_a_failure_of_several_processes_is_their_sentence_and_not_the_launchers(
    home, capsys, monkeypatch, warm
):
    if warm:  # there is room for one, whatever tests before it have started
        monkeypatch.setattr(LAUNCHER, "_parents", {})
    else:  # as where a system has no fork
        monkeypatch.setattr(LAUNCHER, "parent", lambda env: None)
    (home / "11" / "train.py").write_text("raise ValueError('a mistake of all')\n")
    with pytest.raises(CourseError, match=r"^11/train.py with 2 .* failed .*: a mistake of all$"):
        train("11", gpus=2)
    said = capsys.readouterr().out
    assert "ValueError: a mistake of all" in said
    assert ("torch/distributed/elastic" in said) != warm


@pytest.mark.slow
def test_a_rank_that_is_stopped_in_its_traceback_does_not_hide_the_reason(home):
    (home / "11" / "train.py").write_text(
        "import os, pathlib, sys, time\n"
        "def wait(name):\n"
        "    while not pathlib.Path(name).exists():\n"
        "        time.sleep(0.05)\n"
        "if os.environ['RANK'] == '0':\n"
        "    print('ValueError: the reason')\n"
        "    open('said', 'w').close()\n"
        "    wait('begun')\n"
        "    sys.exit(1)\n"
        "wait('said')\n"
        "print('Traceback (most recent call last):\\n  File \"train.py\", line 1, in <module>')\n"
        "open('begun', 'w').close()\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(CourseError, match=r"failed .*: ValueError: the reason$"):
        train("11", gpus=2)


@pytest.mark.parametrize("settings", ({"gpus": -1}, {"epochs": 0}))
def test_impossible_settings_are_refused(home, settings):
    with pytest.raises(CourseError, match="is not possible"):
        train("02", **settings)


@pytest.mark.slow
def test_an_interruption_ends_the_script_and_what_it_started(home, monkeypatch):
    pids = home / "pids"
    write_program(
        home,
        (
            "import os, subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
            f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}} .')\n"
            "time.sleep(600)\n"
        ),
    )

    def interrupt():
        while not (pids.exists() and pids.read_text().endswith(".")):
            time.sleep(0.05)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    # A shell starts what is to run in the background with SIGINT ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        with pytest.raises(CourseError, match="was interrupted, and has ended"):
            train("02")
    finally:
        signal.signal(signal.SIGINT, before)
    deadline = time.monotonic() + 60
    while any(map(runs, pids.read_text().split()[:2])):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def runs(pid: str) -> bool:
    """Whether a process is there, and not only waiting to be noticed by its parent."""
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    status = Path("/proc", pid, "stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


# ---------------------------------------------------------------- pictures


def run_with(pictures: Path, wrong: int, name: str = "02/train.py without a GPU") -> TrainingRun:
    files = sorted(pictures.glob("test/*/*.jpg"))
    names = list(SHAPES)
    samples = [
        Sample(f, f.parent.name, names[(names.index(f.parent.name) + (i < wrong)) % len(names)])
        for i, f in enumerate(files)
    ]
    log = [EpochResult(n, 2.0 / n, 1 - 0.5 / n, 1.0) for n in (1, 2, 3)]
    return TrainingRun(name, pictures, log, samples)


def test_the_curve_says_what_it_draws(pictures):
    picture = learning_curve(run_with(pictures, 0), run_with(pictures, 0, "03/train.py with 1 GPU"))
    assert "02/train.py without a GPU: the loss goes from 2.00 to 0.67 in 3 epochs" in picture.alt
    assert picture.alt.count("50%, 75% and 83%") == 2
    lines = [line for axes in picture.figure.axes[1:] for line in axes.lines]
    assert len(lines) == 4
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines}) == 2
    assert lines[0].get_ydata().tolist() == pytest.approx([2.0, 1.0, 2 / 3])


@pytest.mark.parametrize("count", (0, 5))
def test_too_few_or_too_many_runs(pictures, count):
    with pytest.raises(CourseError, match="shows 1 to 4 runs"):
        learning_curve(*[run_with(pictures, 0)] * count)


def test_runs_are_compared_by_their_steps(pictures):
    one, four = run_with(pictures, 0), run_with(pictures, 0, "12/train.py with 4 GPUs")
    picture = learning_curve(one, four, steps=(75, 19))
    drawn = [line.get_xdata().tolist() for axes in picture.figure.axes[1:] for line in axes.lines]
    assert drawn == [[75, 150, 225], [19, 38, 57]] * 2
    assert "3 epochs of 19 steps each" in picture.alt
    with pytest.raises(CourseError, match="steps has 1 numbers for 2 runs"):
        learning_curve(one, four, steps=(75,))


@pytest.mark.parametrize("done", (1, 2, 3))
def test_a_run_that_was_moved_is_drawn_epoch_by_epoch(pictures, done):
    whole = run_with(pictures, 0, "12/train.py with 1 virtual GPU")
    killed = TrainingRun(whole.name, pictures, whole.log[:done], [])
    moved = run_with(pictures, 0, "12/train.py --resume without a GPU")
    picture = moved_run(whole, killed, moved)
    written = [text.get_text() for text in picture.figure.axes[0].texts]
    assert written.count("epoch 3") == 2  # in the whole run, and where the other one ends
    assert f"checkpoint.pt: epoch {done}" in written
    assert (f"✗ killed: epoch {done + 1} is lost" in written) == (done < 3)
    assert f"The checkpoint of epoch {done} goes on without a GPU: " in picture.alt
    assert ("nothing is left to do" in picture.alt) == (done == 3)


@pytest.mark.parametrize("wrong", (0, 3, 66))
def test_the_sheet_shows_mistakes_first(pictures, wrong):
    picture = sample_sheet(run_with(pictures, wrong))
    assert f"{wrong} of 66 were taken for another shape" in picture.alt
    assert picture.alt.count("a circle taken for a cross") == min(wrong, 9)
    assert len(picture.figure.axes[0].images) == (9 if wrong == 66 else 18)
    assert Image.open(io.BytesIO(picture.png())).width > 800


def test_a_run_that_was_stopped_has_no_sheet(pictures):
    stopped = TrainingRun("10/train.py", pictures, [EpochResult(1, 1.0, 0.5, 1.0)], [])
    with pytest.raises(CourseError, match="left no samples: resume it"):
        sample_sheet(stopped)
