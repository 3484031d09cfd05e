"""What a lesson calls: a run of the program as the lesson leaves it, its parts, and a picture."""

from pathlib import Path

import psutil
import pytest
import torch

from course_utils.errors import CourseError
from course_utils.program.holes import HOLES, after, parts
from lesson_parts.lesson13.moves import moved_run
from lesson_parts.project import TrainingRun, names, network, part, pictures, train

FEW_WORKERS = ("--workers", "0")


@pytest.fixture
def home(tmp_path, few, monkeypatch) -> Path:
    """The folder `project` of a learner's workspace, which is the current one."""
    (tmp_path / ".course").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "shapes").symlink_to(few)
    monkeypatch.delenv("COURSE_WORKSPACE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "project"


# ---------------------------------------------------------------- runs


@pytest.mark.slow
def test_a_run_is_told_and_leaves_nothing_but_its_checkpoint(home, capsys):
    run = train("10", *FEW_WORKERS, gpus=1)
    words = "--workers 0 --epochs 2 --checkpoint runs/10-on-1/checkpoint.pt --device cuda"
    said = capsys.readouterr().out
    assert said.startswith(f"python train.py {words}\nIt has 1 virtual GPU: ")
    assert said.count("epoch 1: loss") == said.count("epoch 2: loss") == 1
    assert len(run.log) == 2 and run.where == "1 virtual GPU"
    assert repr(run) == f"{run.log[1]['accuracy']:.1%} of the test images recognised."
    files = {file.relative_to(home).as_posix() for file in home.rglob("*") if file.is_file()}
    assert {file for file in files if not file.startswith("shapes/")} == {
        "runs/10-on-1/checkpoint.pt"
    }


@pytest.mark.more
@pytest.mark.slow
def test_a_second_run_begins_anew_and_one_that_was_killed_goes_on(home, capsys):
    whole = train("10", *FEW_WORKERS, epochs=3)
    train("10", *FEW_WORKERS, epochs=3, stop_after=1)
    assert capsys.readouterr().out.endswith("killed after epoch 1\n")
    assert programs_in(home) == []
    resumed = train("10", *FEW_WORKERS, "--resume", epochs=3)
    assert "epoch 1:" not in capsys.readouterr().out
    assert whole.log == resumed.log


@pytest.mark.slow
def test_from_lesson_11_on_each_gpu_has_a_process(home, capsys):
    alone, two = (train("11", *FEW_WORKERS, epochs=1, gpus=gpus) for gpus in (0, 2))
    assert "torchrun --nproc-per-node 2 train.py --workers 0" in capsys.readouterr().out
    assert two.log[0]["loss"] == pytest.approx(alone.log[0]["loss"], rel=1e-3)


@pytest.mark.slow
def test_cards_that_are_hidden_are_not_there(home, capsys):
    words = (*FEW_WORKERS, "--epochs", "1", "--device")
    train("05", *words, "cuda:1", gpus=4, visible="2,3")
    assert capsys.readouterr().out.startswith("CUDA_VISIBLE_DEVICES=2,3 python train.py ")
    with pytest.raises(CourseError, match=r"^--device cuda:2: PyTorch sees 2 devices"):
        train("05", *words, "cuda:2", gpus=4, visible="2,3")


@pytest.mark.slow
def test_an_interruption_ends_the_program_and_is_a_sentence(home, monkeypatch):
    def interrupted(line: str) -> None:
        if line.startswith("epoch 1:"):
            raise KeyboardInterrupt

    monkeypatch.setattr("builtins.print", interrupted)
    with pytest.raises(CourseError, match="was interrupted, and has ended"):
        train("10", *FEW_WORKERS, epochs=200)
    assert programs_in(home) == []


def programs_in(home: Path) -> list[psutil.Process]:
    found = psutil.process_iter(["cwd", "status"])
    alive = [one for one in found if one.info["status"] != psutil.STATUS_ZOMBIE]
    return [one for one in alive if one.info["cwd"] == str(home)]


# ---------------------------------------------------------------- parts


@pytest.mark.slow
def test_a_part_is_that_of_its_lesson():
    for hole in HOLES:
        assert part(hole.lesson, hole.name) == parts(after(hole.lesson)[hole.file])[hole.name]
    assert part("05", "take_cards") != part("06", "take_cards")


def test_the_names_of_a_lesson_are_not_those_of_another(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with pytest.raises(SystemExit, match="cannot choose GPUs until lesson 06"):
        names("05").take_cards(1)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    with pytest.raises(SystemExit, match="CUDA_VISIBLE_DEVICES is set already"):
        names("06").take_cards(1)


def test_the_network_of_a_lesson():
    early, final = network("02"), network("03")
    assert not list(early.buffers()) and len(list(final.buffers())) == 2
    images = torch.zeros(4, 3, 16, 16, dtype=torch.uint8)
    assert early(images).shape == final(images).shape == (4, 2)


def test_the_images_are_drawn_where_the_workspace_is(home):
    assert pictures() == home / "shapes"


# ---------------------------------------------------------------- the picture


@pytest.mark.parametrize("done", (1, 2, 3))
def test_a_run_that_was_moved_is_drawn_epoch_by_epoch(done):
    log = [{"loss": 2.0 / n, "accuracy": 1 - 0.5 / n} for n in (1, 2, 3)]
    file = Path("checkpoint.pt")
    whole = TrainingRun("1 virtual GPU", file, log, {})
    killed = TrainingRun("1 virtual GPU", file, log[:done], {})
    moved = TrainingRun("no GPU", file, log, {})
    picture = moved_run(whole, killed, moved)
    written = [text.get_text() for text in picture.figure.axes[0].texts]
    assert written.count("epoch 3") == 2  # in the whole run, and where the other one ends
    assert f"checkpoint.pt: epoch {done}" in written
    assert (f"✗ killed: epoch {done + 1} is lost" in written) == (done < 3)
    assert f"The checkpoint of epoch {done} is taken up on no GPU: " in picture.alt
    assert ("nothing is left to do" in picture.alt) == (done == 3)
