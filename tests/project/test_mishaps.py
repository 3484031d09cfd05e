"""What goes wrong around the program that the learner writes: a worker that is killed, a signal at
the worst moment, a folder or a disk that takes no checkpoint, another program at the same one."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from course_utils.experiments.torch_forks import meet, rank_variables
from course_utils.program.holes import after
from course_workspace.program.running import program_environment
from exercise_kit.programs.launcher import Running, read

from .programs import begin, epochs, on, run, start, start_program, written

pytestmark = pytest.mark.slow

SOON = 120.0  # seconds, for what else would wait for ever
WORKERS = ("--workers", "2")
TWO_EPOCHS = ("--epochs", "2")


def planted(folder: Path, lines: str) -> Path:
    """The program in `folder`, with lines of ours after its imports of torch."""
    files, place = after("13"), "import torch.distributed as dist\n"
    assert files["train.py"].count(place) == 1
    files["train.py"] = files["train.py"].replace(place, f"{place}import time\n{lines}\n")
    return written(folder, files)


def start_anew(folder: Path, *words: str | Path) -> subprocess.Popen[str]:
    """As `start`, but a new process, whose end and whose output are Python's own."""
    env = program_environment(0, real=False)
    del env["PYTHONUNBUFFERED"]
    return subprocess.Popen(
        [sys.executable, folder / "train.py", "--workers", "0", *words],
        cwd=folder,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def to_its_end(process: Running | subprocess.Popen[str]) -> tuple[int | None, str]:
    """As `run`, for a program that could wait for ever: its exit code is None then."""
    with process:
        printed, ended = read(process, SOON)
    return (process.returncode if ended else None), printed


def _last(printed: str) -> str:
    return printed.strip().splitlines()[-1]


def at_a_step(line: str) -> str:
    """Lines that have the program do something in place of its first step."""
    return f"def step(*_):\n    {line}\n    time.sleep(600)\ntorch.optim.AdamW.step = step"


# ---------------------------------------------------------------- workers


@pytest.mark.more
def test_a_worker_that_is_killed_ends_the_program(few, tmp_path):
    """While the program waits for a batch: the other workers are there when it ends."""
    folder = planted(
        tmp_path,
        "from torch.utils.data import get_worker_info\n"
        "import shapes\n"
        "get = shapes.Shapes.__getitem__\n"
        "def killed(self, index):\n"
        "    if get_worker_info().id == 0:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return get(self, index)\n"
        "shapes.Shapes.__getitem__ = killed",
    )
    code, printed = to_its_end(start_anew(folder, "--data", few, *WORKERS))
    assert code == 1 and _last(printed).startswith("RuntimeError: DataLoader worker"), printed


@pytest.mark.more
def test_an_image_that_cannot_be_read_ends_the_program_and_is_its_last_word(whole, few, tmp_path):
    """Not that its workers were killed in the end."""
    shutil.copytree(few, tmp_path / "shapes")
    for image in (tmp_path / "shapes" / "train").glob("*/*.jpg"):
        image.write_bytes(b"no image")
    words = ("--data", tmp_path / "shapes", "--checkpoint", tmp_path / "run.pt")
    code, printed = to_its_end(start_anew(whole, *words, *WORKERS))
    assert code == 1 and "cannot identify image file" in _last(printed), printed


@pytest.mark.more
def test_a_signal_to_a_worker_that_is_not_ready_yet_is_not_heard(few, tmp_path):
    """After it has set its handlers, and before it has said anything."""
    folder = planted(
        tmp_path,
        "def set_number(_):\n"
        "    print('a worker', flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "torch.set_num_threads = set_number",
    )
    code, printed = to_its_end(start(folder, "--data", few, *WORKERS, "--epochs", "1"))
    assert code == 0 and printed.count("a worker\n") == 4, printed


@pytest.mark.more
def test_workers_end_when_the_program_is_killed(few, tmp_path):
    """By what they look at from time to time: no signal tells them."""
    folder = planted(tmp_path, at_a_step("print('here', flush=True)"))
    with start(folder, "--data", few, *WORKERS) as process:
        assert process.stdout.readline() == "here\n"
        (program,) = psutil.Process(process.pid).children()
        workers = program.children()
        for worker in workers:
            worker.terminate()
        program.kill()
        assert len(workers) == 2 and psutil.wait_procs(workers, timeout=SOON)[1] == []


# ---------------------------------------------------------------- one process and several


@pytest.mark.more
def test_ranks_are_run_by_the_python_that_runs_the_program(whole, few, tmp_path, monkeypatch):
    (tmp_path / "python").write_text("#!/bin/sh\necho another Python\nexit 99\n")
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    path = tmp_path / "run.pt"
    words = ("--epochs", "1", "--gpus", "2", "--checkpoint", path)
    code, printed = run(whole, "--data", few, *words, devices=2)
    assert code == 0 and epochs(path) == 1, printed


@pytest.mark.more
def test_all_ranks_end_where_the_first_cannot_save(few, tmp_path):
    """Each is started by itself, so that nobody ends the one that would wait."""
    folder = planted(
        tmp_path,
        "def full(*_):\n    raise OSError(28, 'No space left on device')\nos.replace = full",
    )
    place = socket.create_server(("127.0.0.1", 0))
    variables = [rank_variables(rank, 2, place) for rank in range(2)]
    _store = meet(place)
    words = [folder / "train.py", "--data", few, *on(2), "--workers", "0", *TWO_EPOCHS]
    ranks = [
        start_program([*map(str, words)], program_environment(2, real=False) | own, folder)
        for own in variables
    ]
    (first, said), (second, other) = map(to_its_end, ranks)
    assert "checkpoint.pt could not be saved: [Errno 28] No space left on device" in said
    assert "checkpoint.pt could not be saved by rank 0\n" in other
    assert (first, second) == (1, 1) and "Traceback" not in said + other


@pytest.mark.parametrize(("device", "code"), [("cuda:1", 1), ("cuda", 0), ("auto", 0)])
def test_a_gpu_by_its_number_is_refused_where_each_rank_has_its_own(
    device, code, whole, few, tmp_path
):
    words = ("--epochs", "1", "--checkpoint", tmp_path / "run.pt", "--device", device)
    found, printed = run(whole, "--data", few, *words, devices=2, ranks=2)
    assert found == code, printed
    assert ("no device is called that" in printed and "--device cuda:1:" in printed) == bool(code)


# ---------------------------------------------------------------- the checkpoint


def test_another_number_of_images_is_another_setting(whole, few, tmp_path):
    path = tmp_path / "run.pt"
    assert run(whole, "--data", few, "--checkpoint", path, "--epochs", "1")[0] == 0
    shapes = shutil.copytree(few, tmp_path / "shapes")
    images = sorted(shapes.glob("train/*/*.jpg"))
    images[0].unlink()
    words = ("--data", shapes, "--checkpoint", path, "--epochs", "1", "--resume")
    code, printed = run(whole, *words)
    said = f"{path} was made with other settings: {{'images': {len(images)}}}\n"
    assert (code, printed) == (1, said)


def test_a_save_that_fails_leaves_what_was_saved(whole, few, tmp_path):
    import resource

    path, words = tmp_path / "run.pt", ("--epochs", "200")
    with begin(whole, few, path, *words) as process:
        (program,) = psutil.Process(process.pid).children()
        resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (1000, 1000))
        printed = process.stdout.read()
    assert process.returncode == 1 and "Traceback" not in printed
    assert f"{path} could not be saved: [Errno 27] File too large" in printed
    assert 1 <= epochs(path) < 200


def test_what_is_saved_is_on_the_disk_before_it_has_its_name(few, tmp_path):
    folder = planted(
        tmp_path,
        "fsync, replace = os.fsync, os.replace\n"
        "def told_fsync(file):\n"
        "    fsync(file)\n"
        "    print('on the disk:', os.stat(file.fileno()).st_size)\n"
        "def told_replace(*names):\n"
        "    print('its name')\n"
        "    replace(*names)\n"
        "os.fsync, os.replace = told_fsync, told_replace",
    )
    path = tmp_path / "run.pt"
    code, printed = run(folder, "--data", few, "--checkpoint", path, "--epochs", "1")
    assert code == 0, printed
    assert printed.splitlines()[:2] == [f"on the disk: {path.stat().st_size}", "its name"]


@pytest.mark.more
def test_two_programs_at_one_checkpoint_do_not_take_each_others_files(whole, few, tmp_path):
    """The first is held just before it gives its file the name, until the second has ended."""
    folder = planted(
        tmp_path,
        "replace = os.replace\n"
        "def waiting(*names):\n"
        "    print('waiting', flush=True)\n"
        "    input()\n"
        "    replace(*names)\n"
        "os.replace = waiting",
    )
    path = tmp_path / "run.pt"
    words = ("--data", few, "--checkpoint", path, "--epochs", "1")
    with start_anew(folder, *words) as first:
        assert first.stdout is not None and first.stdout.readline() == "waiting\n"
        assert run(whole, *words)[0] == 0
        printed, _ = first.communicate("\n", timeout=SOON)
    assert first.returncode == 0, printed
    assert [file.name for file in tmp_path.glob("run.pt*")] == ["run.pt"]


# ---------------------------------------------------------------- what it says


@pytest.mark.more
def test_each_epoch_is_told_at_once(whole, few, tmp_path):
    """A new process, whose output a pipe would hold back until it ends; it is killed before."""
    path = tmp_path / "run.pt"
    words = ("--data", few, "--checkpoint", path, "--epochs", "200")
    with start_anew(whole, *words) as process:
        while not path.exists() or epochs(path) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        assert process.stdout is not None
        printed = process.stdout.read()
    assert process.returncode == -signal.SIGKILL and "epoch 1: loss" in printed


def test_help_says_when_a_signal_ends_it(whole):
    code, printed = run(whole, "--help")
    assert code == 0 and "SIGTERM waits for the end of one" in " ".join(printed.split())


@pytest.mark.parametrize("words", [("--parts", "0"), ("--epochs", "-1"), ("--workers", "-1")])
def test_a_number_that_is_too_small_is_a_sentence(words, whole, few):
    code, printed = run(whole, "--data", few, *words)
    assert code == 2 and printed.splitlines()[-1].endswith(
        "error: --epochs and --parts are 1 or more, --workers 0 or more"
    )
