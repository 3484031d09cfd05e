"""The program that the learner writes, whole and at each lesson: on 0, 1 and 4 devices, stopped,
killed and moved."""

import ast
import inspect
import random
import shutil
import signal
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist

from course_utils.checking.exercises import exercise
from course_utils.errors import CourseError
from course_utils.program.holes import HOLES, after, before, beside, early, parts, put
from course_utils.program.observer import HoleObserver, pictures
from exercise_kit.reference import reference as answer_of
from lesson_parts.project import names

from .programs import begin, epochs, on, run, send, start, written

PROJECT = Path(__file__).resolve().parents[2] / "notebooks" / "project"
LESSONS = ("00", *sorted({hole.lesson for hole in HOLES}))
AS_ONE = {"rtol": 0.0, "atol": 0.02}  # of weights that are 0.3 apart from seed to seed
EPOCHS = 3


def trained(folder: Path, few: Path, path: Path, *words: str, **where: int) -> dict[str, Any]:
    """The checkpoint of a run that came to its end."""
    if "--gpus" not in words:
        words += on(where.get("devices", 0))
    code, printed = run(
        folder, "--data", few, "--epochs", str(EPOCHS), "--checkpoint", path, *words, **where
    )
    assert code == 0, printed
    return torch.load(path, map_location="cpu", weights_only=True)


@pytest.fixture(scope="session")
def reference(whole, few, tmp_path_factory) -> dict[str, Any]:
    return trained(whole, few, tmp_path_factory.mktemp("reference") / "run.pt")


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one["log"] == other["log"] and all(
        torch.equal(tensor, other["model"][name]) for name, tensor in one["model"].items()
    )


def test_it_is_as_short_as_it_shall_be():
    for name, most in (("train.py", 221), ("shapes.py", 80)):
        source = (PROJECT / name).read_text()
        assert len(source.splitlines()) <= most
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.lineno < 30, node.name


@pytest.mark.slow
def test_a_part_keeps_its_parameters_and_its_docstring():
    early = parts((PROJECT / "early.py").read_text())
    assert list(early) == [hole.name for hole in HOLES]
    for hole in HOLES:
        final = parts((PROJECT / hole.file).read_text())[hole.name]
        told = [_head(text) for text in (early[hole.name], final)]
        assert told[0] == told[1], hole.name
        assert early[hole.name] != final


def _head(text: str) -> tuple[Any, str | None]:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    called = node if isinstance(node, ast.FunctionDef) else node.body[1]
    return ast.dump(called.args), inspect.cleandoc(ast.get_docstring(node) or "")


def test_the_program_of_the_end_is_the_file_itself():
    assert after(LESSONS[-1]) == {
        name: (PROJECT / name).read_text() for name in ("train.py", "shapes.py")
    }


def test_what_a_cell_defines_takes_its_place_with_what_it_needs():
    cell = """
import sys
from math import inf

import torch
from torch import nn

MOST = 4
print("tried")


def number_of(name):
    return int(name.partition(":")[2] or 0)


def pick_device(wanted):
    # of my own
    return torch.device("cuda", min(number_of(wanted), MOST))
"""
    before_it = early()
    files = put(before_it, cell)
    assert files["shapes.py"] == before_it["shapes.py"]
    source = files["train.py"]
    added = set(source.splitlines()) - set(before_it["train.py"].splitlines())
    new = parts(cell)
    wanted = {"from math import inf", "from torch import nn", "MOST = 4"}
    wanted |= {line for text in new.values() for line in text.splitlines()}
    assert added == wanted - {"def pick_device(wanted):"}
    assert parts(source)["pick_device"] == new["pick_device"]
    assert source.index("MOST") < source.index("def number_of") < source.index("def pick_device")
    assert put(files, cell) == files


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.name)
def test_a_part_as_the_course_writes_it_makes_the_program_of_the_course(hole):
    final = parts((PROJECT / hole.file).read_text())[hole.name]
    whole = after(LESSONS[-1])
    open_ = {**whole, hole.file: whole[hole.file].replace(final, parts(_early())[hole.name])}
    assert open_ != whole and put(open_, final) == whole


def _early() -> str:
    return (PROJECT / "early.py").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({hole.exercise for hole in HOLES}))
def test_the_answer_of_an_exercise_is_what_the_program_has(name):
    own = [hole for hole in HOLES if hole.exercise == name]
    cell, whole = answer_of(exercise(name).path), after(LESSONS[-1])
    files = put(before(name), cell)
    for hole in own:
        assert beside(cell, {each.name for each in own}, whole[hole.file]) == []
        found, wanted = (parts(texts[hole.file])[hole.name] for texts in (files, whole))
        assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(wanted))


def test_an_exercise_finds_its_own_holes_open_and_all_later_ones():
    own = parts((PROJECT / "train.py").read_text())
    found = parts(before("feeding.batches_ahead")["train.py"])
    for hole in HOLES:
        if hole.file == "train.py":
            assert (found[hole.name] == own[hole.name]) is (hole.lesson < "09"), hole.name


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("def loss(): ...", "defines no part of train.py"),
        ("def save(path, state): ...", r"train\.py no longer defines save"),
    ],
)
def test_what_cannot_be_put_into_the_program_is_refused(cell, said):
    files = {**early(), "train.py": early()["train.py"].replace("def save(", "def keep_it(")}
    with pytest.raises(CourseError, match=said):
        put(files, cell)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS[:-1])
def test_each_lesson_leaves_a_program_that_trains_alike(lesson, reference, few, tmp_path):
    folder = written(tmp_path, after(lesson))
    found = trained(folder, few, tmp_path / "run.pt", devices=int(lesson > "00"))
    assert [line["loss"] for line in found["log"]] == pytest.approx(
        [line["loss"] for line in reference["log"]], rel=1e-4
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lesson", "words", "said"),
    [
        ("00", ["--device", "auto"], "knows only the CPU until lesson 01"),
        ("05", ["--gpus", "2"], "cannot choose GPUs until lesson 06"),
        ("07", ["--parts", "2"], "--parts, --bf16: this program has neither until lesson 08"),
        ("13", ["--device", "cuda:1"], "--device cuda:1: PyTorch sees 1 devices of this kind"),
        ("13", ["--device", "cuda:128"], "--device cuda:128: PyTorch sees 1 devices of this kind"),
        ("13", ["--device", "gpu"], "--device gpu: no device is called that"),
        ("13", ["--gpus", "2"], "--gpus 2: nvidia-smi tells of 1"),
        ("13", ["--gpus", "-1"], "--gpus -1: nvidia-smi tells of 1"),
        ("13", ["--batch", "5000"], "--batch 5000: choose from 1, an image for each process, to"),
        ("13", ["--data", "nowhere"], "no images in nowhere"),
        ("13", ["--checkpoint", "/dev/full/run.pt"], "File exists: '/dev/full'"),
        ("13", ["--checkpoint", "/proc/run.pt"], "No such file or directory: '/proc/"),
    ],
)
def test_what_it_cannot_do_is_said_in_a_sentence(lesson, words, said, few, tmp_path):
    folder = written(tmp_path, after(lesson))
    code, printed = run(folder, "--data", few, "--epochs", "1", *words, devices=1)
    assert code == 1 and said in printed and "Traceback" not in printed, printed
    assert "epoch" not in printed.replace("--epochs", ""), "it was trained in vain"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "same"),
    [
        ({"devices": 1}, True),
        ({"devices": 4, "ranks": 4}, False),
        ({"ranks": 2}, False),
    ],
)
def test_other_devices_give_the_same_model(where, same, whole, few, reference, tmp_path):
    """To the bit on one device, whichever; but for the order of sums on several."""
    found = trained(whole, few, tmp_path / "run.pt", "--parts", "1", **where)
    assert found.keys() == reference.keys()
    if same:
        assert equal(found, reference)
    torch.testing.assert_close(found["model"], reference["model"], **AS_ONE)


@pytest.mark.slow
@pytest.mark.more
def test_the_gradient_of_a_step_is_that_of_one_process(whole, few, tmp_path):
    """On 1, 2 and 4 devices, and in parts: after its first step, AdamW has a tenth of it."""
    images = len([*(few / "train").glob("*/*.jpg")])
    one_step, found = ("--epochs", "1", "--batch", str(images)), []
    for words, ranks in (("", 0), ("", 1), ("", 2), ("", 4), ("--parts=4", 1), ("--parts=2", 2)):
        path, where = tmp_path / f"{len(found)}.pt", {"devices": ranks, "ranks": ranks or 1}
        state = trained(whole, few, path, *one_step, *words.split(), **where)["optimizer"]["state"]
        assert {int(each["step"]) for each in state.values()} == {1}
        found.append([10 * each["exp_avg"] for each in state.values()])
    for gradient in found[1:]:
        torch.testing.assert_close(gradient, found[0], rtol=1e-4, atol=1e-6)


@pytest.mark.slow
@pytest.mark.more
def test_cards_that_are_asked_for_are_all_at_work(whole, few, reference, tmp_path):
    """By torchrun, which the program becomes; forks of a parent give the same to the bit."""
    found = trained(whole, few, tmp_path / "cold.pt", "--gpus", "2", devices=4)
    assert equal(found, trained(whole, few, tmp_path / "warm.pt", devices=4, ranks=2))
    assert not equal(found, reference)  # the sums of two


@pytest.mark.slow
@pytest.mark.more
def test_each_rank_counts_its_collectives(tmp_path):
    """An epoch has three steps with one exchange of gradients each, and three sums."""
    observer = HoleObserver("saving.save")
    folder = observer.write(tmp_path, {**after("13"), **pictures()})
    run = observer.run(folder, ("--epochs", "2", "--device", "cuda"), devices=2, ranks=2)
    assert run.end == 0, run.printed
    assert [each["collectives"]["allreduce_"] for each in run.counts] == [12, 12]


@pytest.mark.slow
def test_gradients_are_exchanged_once_for_all_parts(monkeypatch):
    """As rank 0 of two, alone in its group: nothing is sent, and each exchange is counted."""
    monkeypatch.setenv("WORLD_SIZE", "2")
    train_batch = names("13").train_batch
    exchanges = []

    def count(state: None, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:
        exchanges.append(bucket.index())
        future: torch.futures.Future[torch.Tensor] = torch.futures.Future()
        future.set_result(bucket.buffer())
        return future

    net, args = torch.nn.Linear(3, 2), Namespace(parts=4, batch=16, bf16=False)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        model = torch.nn.parallel.DistributedDataParallel(net)
        model.register_comm_hook(None, count)
        for _ in range(3):
            train_batch(model, torch.randn(8, 3), torch.randint(2, (8,)), args)
        del model  # freed after its group, gloo may hang: pytorch/pytorch#56297
    finally:
        dist.destroy_process_group()
    assert exchanges == [0, 0, 0]


@pytest.mark.slow
def test_parts_and_workers_change_nothing_but_the_order_of_sums(whole, few, reference, tmp_path):
    found = trained(whole, few, tmp_path / "run.pt", "--parts", "3", "--workers", "2", devices=1)
    torch.testing.assert_close(found["model"], reference["model"], **AS_ONE)


@pytest.mark.slow
def test_bfloat16_trains_and_saves_float32(whole, few, reference, tmp_path):
    found = trained(whole, few, tmp_path / "run.pt", "--bf16", devices=1)
    assert found["log"][-1]["loss"] == pytest.approx(reference["log"][-1]["loss"], rel=0.05)
    assert not equal(found, reference)
    assert {tensor.dtype for tensor in found["model"].values()} == {torch.float32}


@pytest.mark.slow
def test_killed_and_moved_it_goes_on_as_if_nothing_had_been(whole, few, reference, tmp_path):
    path = tmp_path / "run.pt"
    with begin(whole, few, path, "--epochs", str(EPOCHS), devices=1) as process:
        send(process, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert 1 <= epochs(path) < EPOCHS
    code, printed = run(whole, "--data", few, "--checkpoint", path, "--epochs", str(EPOCHS))
    assert code == 2 and "run.pt is there: --resume it, or name another" in printed
    code, printed = run(whole, "--data", few, "--checkpoint", path, "--resume", "--epochs", "99")
    assert code == 1 and f"run.pt was made with other settings: {{'epochs': {EPOCHS}}}" in printed
    assert equal(trained(whole, few, path, "--resume"), reference)


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize(("ranks", "kills", "most"), [(1, 10, 45), (2, 3, 15)])
def test_killed_at_random_moments_it_ends_as_if_nothing_had_been(
    ranks, kills, most, whole, few, tmp_path
):
    """To the bit: one process on machines of 0, 1 and 2 GPUs in turn, two ranks always on two."""
    rng, path, last = random.Random(54), tmp_path / "run.pt", ("--epochs", str(most))
    for devices in rng.sample([0, 1, 2] * 4, kills) if ranks == 1 else [2] * kills:
        where = {"devices": devices, "ranks": ranks}
        words = ("--data", few, "--checkpoint", path, *last, "--resume", *on(devices))
        with start(whole, *words, **where) as process:
            line = process.stdout.readline()
            time.sleep(rng.uniform(0, 0.1))  # in the next epochs, or in one of their saves
            send(process, signal.SIGKILL)
        assert line.startswith("epoch") and process.returncode, line
    assert kills <= epochs(path) < most
    undisturbed = trained(whole, few, tmp_path / "whole.pt", *last, **where)
    assert equal(trained(whole, few, path, *last, "--resume", **where), undisturbed)


@pytest.mark.slow
def test_what_four_ranks_began_one_process_ends_without_a_gpu(whole, few, reference, tmp_path):
    path = tmp_path / "run.pt"
    with begin(whole, few, path, "--epochs", str(EPOCHS), devices=4, ranks=4) as process:
        send(process, signal.SIGKILL)
    assert epochs(path) < EPOCHS
    found = trained(whole, few, path, "--resume")
    torch.testing.assert_close(found["model"], reference["model"], **AS_ONE)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_signal_to_end_saves_and_says_so_in_the_exit_code(workers, whole, few, tmp_path):
    """Its DataLoader's workers get the signal as well, as from torchrun or a scheduler."""
    path, words = tmp_path / "run.pt", ("--epochs", "200", "--workers", workers)
    with begin(whole, few, path, *words, devices=1) as process:
        send(process, signal.SIGTERM, recursive=True)
        printed = process.stdout.read()
    assert process.returncode == 128 + signal.SIGTERM, printed
    before = epochs(path)
    assert printed.count("epoch") == before < 200
    with start(whole, "--data", few, "--checkpoint", path, *words, "--resume") as process:
        assert f"epoch {before + 1}: loss" in process.stdout.readline()
        send(process, signal.SIGKILL)


@pytest.mark.slow
def test_a_test_set_without_a_shape_and_smaller_than_the_ranks(whole, few, tmp_path):
    """Numbers are those of the training set, and a rank without an image waits for nobody."""
    shutil.copytree(few, tmp_path / "shapes")
    for image in sorted((tmp_path / "shapes" / "test").glob("*/*.jpg"))[:-1]:
        image.unlink()
    paths = [tmp_path / "one.pt", tmp_path / "two.pt"]
    one, two = (
        trained(whole, tmp_path / "shapes", path, ranks=ranks)
        for ranks, path in enumerate(paths, start=1)
    )
    assert [line["accuracy"] for line in one["log"]] == [line["accuracy"] for line in two["log"]]
    assert len(one["settings"]["classes"]) == 6
