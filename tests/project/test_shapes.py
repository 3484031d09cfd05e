"""`course shapes`: the pictures, and a sentence for everything that can go wrong."""

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from course_command.main import every_command
from course_utils.errors import CourseError
from lesson_parts import shapes
from lesson_parts.shapes import SHAPES, SIZE, Plan, draw_shapes, jpeg

FEW = Plan(train=2, test=1)
NUMBER = len(SHAPES) * 3


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.jpg"))
    }


def test_every_picture_is_a_small_jpeg_of_its_own(tmp_path):
    assert draw_shapes(tmp_path, FEW) == NUMBER
    drawn = contents(tmp_path)
    assert set(drawn) == {
        f"{split}/{shape}/{number:04}.jpg"
        for split, count in (("train", 2), ("test", 1))
        for shape in SHAPES
        for number in range(1, count + 1)
    }
    assert len(set(drawn.values())) == NUMBER
    for name in drawn:
        with Image.open(tmp_path / name) as image:
            assert (image.format, image.size, image.mode) == ("JPEG", (SIZE, SIZE), "RGB")


def test_the_same_seed_gives_the_same_pictures(tmp_path):
    for name, plan in (("one", FEW), ("two", FEW), ("other", Plan(2, 1, seed=1))):
        draw_shapes(tmp_path / name, plan)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert not set(contents(tmp_path / "one").values()) & set(contents(tmp_path / "other").values())


def test_the_shape_stands_out_in_greyscale():
    """Its middle is lighter than the corners, for shapes that have a middle."""
    for number in range(20):
        image = Image.open(io.BytesIO(jpeg("square", (0, 0, number)))).convert("L")
        assert image.getextrema()[1] - image.getextrema()[0] > 50


def test_a_second_run_draws_nothing_and_a_third_what_is_missing(tmp_path):
    draw_shapes(tmp_path, FEW)
    before = contents(tmp_path)
    assert draw_shapes(tmp_path, FEW) == draw_shapes(tmp_path) == 0
    for gone in ("train/ring/0002.jpg", "test/star/0001.jpg"):
        (tmp_path / gone).unlink()
    assert draw_shapes(tmp_path) == 2
    assert contents(tmp_path) == before


def test_a_run_that_was_interrupted_is_finished(tmp_path, monkeypatch):
    drawn = iter(range(5))

    def stop_early(shape, key):
        if next(drawn, None) is None:
            raise KeyboardInterrupt
        return jpeg(shape, key)

    with monkeypatch.context() as patch:
        patch.setattr(shapes, "jpeg", stop_early)
        with pytest.raises(KeyboardInterrupt):
            draw_shapes(tmp_path, FEW)
    assert len(contents(tmp_path)) == 5
    assert draw_shapes(tmp_path) == NUMBER - 5


def test_no_part_of_a_file_is_left_by_a_full_disk(tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CourseError, match="The disk is full"):
        draw_shapes(tmp_path, FEW)
    assert [path for path in (tmp_path / "train").rglob("*") if path.is_file()] == []


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(CourseError, match=r"has other files \(thesis.txt\)\. Choose"):
        draw_shapes(tmp_path, FEW)
    assert os.listdir(tmp_path) == ["thesis.txt"]


def test_pictures_of_another_plan_are_refused(tmp_path):
    draw_shapes(tmp_path, FEW)
    with pytest.raises(CourseError, match=r"another seed or number\. Delete that folder"):
        draw_shapes(tmp_path, Plan(2, 1, seed=1))


@pytest.mark.parametrize("record", (b"", b"[1]", b'{"colour": 1}', b"\xff"))
def test_a_record_that_is_none_is_a_sentence(tmp_path, record):
    (tmp_path / "shapes.json").write_bytes(record)
    with pytest.raises(CourseError, match=r"shapes\.json cannot be read"):
        draw_shapes(tmp_path)


def test_a_file_in_place_of_the_folder_is_a_sentence(tmp_path):
    (tmp_path / "shapes").write_text("a file")
    with pytest.raises(CourseError, match="is a file, and a folder is needed there"):
        draw_shapes(tmp_path / "shapes", FEW)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(CourseError, match=r"Make .* writable for you"):
        draw_shapes(tmp_path / "shapes", FEW)


def test_refused_by_the_system_is_a_sentence(tmp_path, monkeypatch):
    def refuse(self, *arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(CourseError, match=r"Make .* writable for you"):
        draw_shapes(tmp_path / "shapes", FEW)


@pytest.mark.parametrize(
    ("plan", "sentence"),
    (
        ({"train": 0}, "0 train pictures of each shape are not possible"),
        ({"test": 10_000}, "10000 test pictures of each shape are not possible"),
        ({"seed": -1}, "The seed -1 is negative"),
    ),
)
def test_impossible_numbers_are_refused(plan, sentence):
    with pytest.raises(CourseError, match=sentence):
        Plan(**plan)


def test_the_command_draws_and_says_so(tmp_path):
    arguments = ["shapes", str(tmp_path / "new"), "--train", "2", "--test", "1"]
    assert f"{NUMBER} pictures drawn." in CliRunner().invoke(every_command(), arguments).stdout
    assert CliRunner().invoke(every_command(), arguments).stdout == "All pictures exist already.\n"


@pytest.mark.slow
def test_a_mistake_at_the_command_line_is_one_sentence(tmp_path):
    (tmp_path / "mine").write_text("")
    command = [sys.executable, "-c", "from course_command.main import run; run()", "shapes"]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "has other files" in done.stderr
