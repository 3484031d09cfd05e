"""`course project`: what it shows of the learner's program, and a run of it."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import torch
from PIL import Image

from course_command import console
from course_command import main as cli
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_utils.program.holes import HOLES, after, parts
from course_workspace.program.curve import bars, picture
from course_workspace.program.filling import fill, states
from course_workspace.program.running import run

pytestmark = pytest.mark.slow  # a workspace is made first

SOON = 60.0  # seconds, for a process that has to end


@pytest.fixture
def home(delivered, few, tmp_path, monkeypatch) -> Path:
    """The folder of the program, in a workspace of its own that has few pictures."""
    shutil.copytree(delivered, tmp_path / "workspace")
    home = tmp_path / "workspace" / "project"
    (home / "shapes").symlink_to(few)
    monkeypatch.setenv("COURSE_WORKSPACE", str(home.parent))
    return home


@pytest.fixture
def told(monkeypatch, capsys):
    """Run the command in this process. Gives its exit status, and what it wrote."""

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["course", "project", *words])
        console.console.__init__()
        with pytest.raises(SystemExit) as end:
            cli.run()
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return call


def pick(workspace: Path) -> None:
    """Pass the exercise of the first part, as the course would."""
    cell = "import sys\n\nimport torch\n\n\n" + parts(after("01")["train.py"])["pick_device"] + "\n"
    assert fill(workspace, "machine.pick_device", cell)


def rows(out: str) -> dict[str, str]:
    """The state of each part, by its name."""
    found = (line.split(maxsplit=3) for line in out.splitlines())
    return {words[0]: words[3].strip() for words in found if words[1:2] == ["train.py"]}


# ---------------------------------------------------------------- what it shows


def test_it_shows_who_wrote_each_part(home, told):
    pick(home.parent)
    text = (home / "train.py").read_text()
    changed = text.replace("    torch.save(state, path)", "    torch.save(state, str(path))")
    (home / "train.py").write_text(changed.replace("def resume(", "def resumed("))
    status, out, _ = told()
    assert status == 0
    states_ = rows(out)
    day = time.localtime()
    assert states_["pick_device"] == f"yours since {day.tm_mday} {time.strftime('%B %Y', day)}"
    assert states_["train_epoch"] == "the course's first version"
    assert states_["save"] == "edited by you"
    assert states_["resume"] == "not found under this name"


def test_it_says_which_part_is_next_and_where(home, told):
    assert told()[1].splitlines()[-2].startswith("Next: `pick_device`, in lesson 01. Solve “")
    assert "in assignment 01_machine." in told()[1]
    pick(home.parent)
    asked = {exercise.name for exercise in load_manifest().exercises}
    later = [hole.name for hole in HOLES[1:] if hole.exercise in asked]
    said = told()[1].splitlines()[-2]
    assert said.startswith(f"Next: `{later[0]}`" if later else "You have written every part")


def test_a_workspace_without_the_program_is_a_sentence(home, told):
    (home / "train.py").unlink()
    for words in ((), ("--run",)):
        status, _, err = told(*words)
        assert status == 2 and err.splitlines()[-1].endswith("Run `course lab` to restore it.")


def test_words_without_a_run_are_a_sentence(home, told):
    assert told("--gpus", "1")[0] == told("--", "--epochs", "2")[0] == 2


# ---------------------------------------------------------------- a run


def lines_of(home: Path, *words: str, gpus: int = 0) -> tuple[int, list[str]]:
    lines: list[str] = []
    done = run(home, ["--workers", "0", *words], gpus, lines.append)
    return done.code, lines


@pytest.mark.more
def test_the_early_program_runs_and_its_losses_are_drawn(home, told):
    for number in (1, 2):
        status, out, _ = told("--run", "--", "--epochs", "2", "--workers", "0")
        assert status == 0
        printed = [line for line in out.splitlines() if line.startswith("epoch ")]
        assert [line.partition(":")[0] for line in printed[:2]] == ["epoch 1", "epoch 2"]
        drawn = [line.split() for line in out.splitlines() if "█" in line]
        for said, (_, _, loss, accuracy) in zip(printed, drawn, strict=False):
            assert f"loss {loss}, accuracy {accuracy}" in said
        assert len(drawn) == 2 and "It has no GPU." in out
        with Image.open(home / "runs" / str(number) / "losses.png") as image:
            assert image.size[0] > 800


def test_a_part_that_is_early_says_so_and_one_that_passed_is_used(home):
    code, lines = lines_of(home, "--epochs", "1", gpus=1)
    assert code == 1 and lines[-1].endswith("knows only the CPU until lesson 01 is done")
    pick(home.parent)
    code, lines = lines_of(home, "--epochs", "1", gpus=1)
    assert code == 0 and "It has 1 virtual GPU: " in lines[1]
    assert lines[0].endswith("--checkpoint runs/1/checkpoint.pt --device cuda")


def test_the_whole_program_takes_several_gpus_and_goes_on_with_its_last_run(home):
    for name, text in after("11").items():
        (home / name).write_text(text)
    code, lines = lines_of(home, "--epochs", "1", gpus=2)
    assert code == 0 and lines[0].endswith("--gpus 2")
    (home / "runs" / "1" / "checkpoint.pt").rename(home / "kept.pt")
    words = ("--epochs", "1", "--resume", "--checkpoint=kept.pt")
    done = run(home, words, 0, lines.append)
    assert (done.code, done.log, done.folder) == (0, [], home)  # nothing was left to do
    assert lines_of(home, "--epochs", "2")[0] == 0
    code, lines = lines_of(home, "--epochs", "2", "--resume")
    assert code == 0 and lines[0].endswith("--checkpoint runs/2/checkpoint.pt")


def test_a_program_that_fails_gives_its_own_exit_status_and_no_curve(home, told):
    (home / "train.py").write_text("import sys\nprint('so far')\nsys.exit(7)\n")
    status, out, _ = told("--run")
    assert status == 7 and "so far\n" in out and "curve" not in out


def test_a_checkpoint_of_another_kind_is_no_curve(home):
    (home / "train.py").write_text(
        "import os, sys, torch\n"
        "os.makedirs(os.path.dirname(sys.argv[-1]))\n"
        "torch.save([1], sys.argv[-1])\n"
    )
    done = run(home, [], 0, print)
    assert (done.code, done.log) == (0, [])


@pytest.mark.parametrize("gpus", [-1, 65])
def test_no_such_number_of_gpus(home, gpus):
    with pytest.raises(CourseError, match=f"--gpus {gpus} is not possible"):
        run(home, [], gpus, print)


@pytest.mark.parametrize(("there", "given"), [(2, None), (2, "1,0"), (0, None), (0, "1,0")])
def test_real_gpus_are_taken_where_there_are_enough(home, monkeypatch, there, given):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if given:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", given)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: there)
    (home / "train.py").write_text(
        "import os\nprint(os.environ.get('CUDA_VISIBLE_DEVICES'), os.environ.get('VIRTUAL_CUDA'))\n"
    )
    lines: list[str] = []
    assert run(home, [], 2, lines.append).code == 0
    if there:
        assert lines[1] == "It has 2 GPUs of this computer.\n"
        assert lines[-1] == f"{given} None"
    else:
        assert lines[1].startswith("It has 2 virtual GPUs: ") and lines[-1] == "None 2"


@pytest.mark.parametrize(("there", "device"), [(1, "cuda"), (3, "cuda:2"), (0, "cuda")])
def test_its_device_is_the_real_gpu_where_one_is_there(home, told, monkeypatch, there, device):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: there)
    (home / "train.py").write_text("import sys\nprint(*sys.argv[1:3])\n")
    code, out, _ = told("--run", "--device", device)
    kind = f"{there} GPU{'s' if there > 1 else ''} of this computer." if there else "1 virtual GPU:"
    assert code == 0 and f"It has {kind}" in out and f"\n--device {device}\n" in out


@pytest.mark.more
def test_ctrl_c_ends_the_program_and_all_that_it_started(home):
    (home / "train.py").write_text(
        "import subprocess, sys, time\n"
        "words = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "child = subprocess.Popen(words, start_new_session=True)\n"
        "print('child', child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    # Who starts tests in the background may have had them ignore Ctrl+C.
    program = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from course_command.main import run\n"
        "run()\n"
    )
    command = [sys.executable, "-c", program, "project", "--run"]
    with subprocess.Popen(
        command, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        line = next(line for line in process.stdout if line.startswith("child "))
        child = psutil.Process(int(line.split()[1]))
        process.send_signal(signal.SIGINT)
        assert "Stopped." in process.stdout.read()
    assert process.returncode == cli.STOPPED
    assert psutil.wait_procs([child], timeout=SOON)[1] == []


# ---------------------------------------------------------------- the curve


def test_many_epochs_are_twenty_rows_with_the_first_and_the_last():
    log = [{"loss": 1.0 / epoch, "accuracy": 0.5} for epoch in range(1, 101)]
    drawn = list(bars(log))
    numbers = [int(line.split()[0]) for line in drawn]
    assert len(numbers) == 20 and (numbers[0], numbers[-1]) == (1, 100)
    lengths = [line.count("█") for line in drawn]
    assert lengths[0] == 40 and lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize("loss", [0.0, float("nan"), float("inf"), -1.0])
def test_a_loss_that_cannot_be_drawn_is_written(loss):
    (line,) = bars([{"loss": loss, "accuracy": 0.0}])
    assert line.split() == ["1", f"{loss:.3f}", "0.0%"]


def test_the_picture_says_the_same_in_words():
    page = picture([{"loss": 2.0, "accuracy": 0.2}, {"loss": 1.0, "accuracy": 0.5}], "Mine")
    assert page.alt == (
        "loss in training: from 2.00 to 1.00 in 2 epochs. "
        "accuracy in the test: from 0.20 to 0.50 in 2 epochs."
    )


def test_nothing_in_a_workspace_names_a_part_that_is_not_there(home):
    ledger = json.loads((home.parent / ".course" / "program.json").read_bytes())
    assert set(ledger["parts"]) == {state.hole.name for state in states(home.parent)}
