"""Known answers: files of their own, and cells of others.py."""

import shutil
import traceback
from pathlib import Path

import pytest

from exercise_kit.corpus import KnownAnswer, known_answers
from exercise_kit.errors import ExerciseError
from exercise_kit.known import digest

HALVED = "# finding: other-result\ndef half(x):\n    return x\n"
RAISES = "# outcome: raised\n\n\ndef half(x):\n    return x / 0\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An exercise with a wrong answer in a file."""
    folder = tmp_path / "numbers" / "half"
    (folder / "wrong").mkdir(parents=True)
    (folder / "wrong" / "same.py").write_text(HALVED)
    return folder


def others(place: Path, text: str) -> Path:
    file = place / "wrong" / "others.py"
    file.write_text(text)
    return file


def test_a_cell_is_what_a_file_would_be(place: Path) -> None:
    file = others(place, f"# %% raises\n{RAISES}\n# %% again\n{HALVED}")
    again, raises, same = known_answers(place, "wrong")
    where = str(place / "wrong" / "same.py")
    assert same == KnownAnswer("same", where, 1, HALVED, "other-result")
    assert again == KnownAnswer("again", f"{file}, cell again", 9, HALVED, "other-result")
    assert raises == KnownAnswer("raises", f"{file}, cell raises", 2, RAISES, "raised")


def test_a_right_answer_of_a_cell_says_no_finding(place: Path) -> None:
    shutil.copytree(place / "wrong", place / "accepted")
    (place / "accepted" / "others.py").write_text("# %% divided\ndef half(x):\n    return x / 2\n")
    divided, same = known_answers(place, "accepted")
    assert (divided.expected, same.expected) == ("passed", "passed")
    assert divided.load("half")(3) == 1.5


def test_known_json_does_not_depend_on_where_an_answer_stands(place: Path) -> None:
    (place / "wrong" / "raises.py").write_text(RAISES)
    in_files = digest(place)
    (place / "wrong" / "raises.py").unlink()
    assert digest(place) != in_files
    others(place, f"# %% raises\n{RAISES}")
    assert digest(place) == in_files
    others(place, f"# %% raised\n{RAISES}")
    assert digest(place) != in_files


def test_a_traceback_points_into_the_file(place: Path) -> None:
    file = others(place, f"# %% again\n{HALVED}\n# %% raises\n{RAISES}")
    (half,) = (each.load("half") for each in known_answers(place, "wrong") if each.line > 2)
    with pytest.raises(ZeroDivisionError) as raised:
        half(1)
    frame = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert frame.filename == f"{file}, cell raises" and frame.line == "return x / 0"
    assert file.read_text().splitlines()[frame.lineno - 1] == "    return x / 0"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"# %%\n{HALVED}", "others.py, line 1: the cell has no name. Write `# %% NAME`"),
        (f"# %% one\n{HALVED}\n# %%  ", "others.py, line 6: the cell has no name"),
        (f"import this\n# %% one\n{HALVED}", "must begin with `# %% NAME`. Move the text"),
        (HALVED, "must begin with `# %% NAME`"),
        (f"# %% same\n{HALVED}", "wrong has two answers called same. Give one of them"),
        (f"# %% a\n{HALVED}\n# %% a\n", "wrong has two answers called a. Give"),
        ("# %% one\ndef half(x):\n    return x\n", "cell one: the first line must name the"),
        ("# %% one\n\n" + HALVED, "cell one: the first line must name the"),
        ("# %% one", "cell one: the first line must name the"),
    ],
)
def test_what_is_wrong_is_one_sentence(place: Path, text: str, said: str) -> None:
    others(place, text)
    with pytest.raises(ExerciseError) as raised:
        known_answers(place, "wrong")
    assert said in str(raised.value)
