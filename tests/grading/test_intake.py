"""What platforms hand out, as real folders and zips, comes to where nbgrader looks for it."""

import io
import json
import os
import stat
import struct
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from course_utils.errors import CourseError
from course_utils.grading.feedback import MARKS
from course_utils.grading.intake import IntakeReport, take_in
from course_utils.recovery.reading import LARGEST, read_submission

NAME = "02_tensors"
STAMP = (2025, 3, 4, 15, 6, 8)
CANVAS = "lovelaceada_12345_678901_02_tensors.ipynb"
MOODLE = "Ada Lovelace_123456_assignsubmission_file_/02_tensors.ipynb"


def notebook(text: str = "x = 1") -> bytes:
    return nbformat.writes(new_notebook(cells=[new_code_cell(text, id="a")])).encode()


def zipped(files: dict[str, bytes], time: tuple[int, ...] = STAMP) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, time), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


class Intake:
    """A course folder, and what an instructor got from the platform."""

    def __init__(self, folder: Path) -> None:
        self.root, self.said = folder / "course", []
        (self.root / "source" / NAME).mkdir(parents=True)
        self.source = folder / "from the platform"

    def folder(self, files: dict[str, bytes]) -> Path:
        for name, data in files.items():
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return self.source

    def zip(self, files: dict[str, bytes], time: tuple[int, ...] = STAMP) -> Path:
        path = self.source.with_suffix(".zip")
        path.write_bytes(zipped(files, time))
        return path

    def take(self, source: Path, roster: str | None = None) -> IntakeReport:
        path = None
        if roster is not None:
            path = self.root / "roster.csv"
            path.write_text(roster, encoding="utf-8")
        self.said.clear()
        report = take_in(self.root, NAME, source, path, self.said.append)
        assert all(sentence in "\n".join(self.said) for sentence in report.refused)
        assert not list((self.root / "submitted").glob(".incoming*"))
        return report

    def place(self, student: str) -> Path:
        return self.root / "submitted" / student / NAME

    def text(self, student: str) -> str:
        return read_submission(self.place(student) / f"{NAME}.ipynb").cells[0].source

    def files(self, student: str) -> set[str]:
        place = self.place(student)
        return {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}

    def students(self) -> set[str]:
        """As nbgrader itself sees them."""
        config = Config()
        config.CourseDirectory.root = str(self.root)
        api = NbGraderAPI(CourseDirectory(config=config), config=config)
        return api.get_submitted_students(NAME)


@pytest.fixture
def intake(tmp_path) -> Intake:
    return Intake(tmp_path)


# Names.


@pytest.mark.parametrize(
    "name, student",
    [
        (CANVAS, "lovelaceada"),
        ("lovelaceada_LATE_12345_678901_02_tensors-1.ipynb", "lovelaceada"),
        ("李小龍_12345_678901_02_tensors.ipynb", "李小龍"),
        (MOODLE, "Ada_Lovelace"),
        ("Ada Lovelace_123456_assignsubmission_file_02_tensors.ipynb", "Ada_Lovelace"),
        ("Ada Lovelace_123456_assignsubmission_file/sub/02_tensors.ipynb", "Ada_Lovelace"),
        ("Participant_123456_assignsubmission_file_/02_tensors.ipynb", "Participant_123456"),
        ("Đặng Thị Ngọc_12_assignsubmission_file_/02_tensors.ipynb", "Đặng_Thị_Ngọc"),
        ("O'Neil, Zoë_12_assignsubmission_file_/02_tensors.ipynb", "O_Neil_Zoë"),
        ("अदिति राव_12_assignsubmission_file_/02_tensors.ipynb", "अदिति_राव"),
        ("ada/02_tensors.ipynb", "ada"),
        ("ada+x@mail.org/02_tensors.ipynb", "ada_x@mail.org"),
        ("ada/02_tensors/02_tensors.ipynb", "ada"),
        ("submitted/ada/02_tensors/02_tensors.ipynb", "ada"),
        ("ada/work/deep/02_tensors.ipynb", "ada"),
        ("ada.ipynb", "ada"),
        ("ada/homework.ipynb", "ada"),
    ],
)
@pytest.mark.parametrize("kind", ["zip", "folder"])
def test_a_name_tells_whose_it_is(intake, name, student, kind):
    report = intake.take(getattr(intake, kind)({name: notebook("mine")}))
    assert [each.student for each in report.taken] == [student]
    assert (report.refused, intake.text(student)) == ((), "mine")
    assert intake.students() == {student}


def test_folders_around_a_class_are_no_students(intake):
    for names in (
        ("a/b/ada/02_tensors.ipynb", "a/b/bob/x.ipynb"),
        ("a/ada.ipynb", "a/bob.ipynb"),
        ("a/ada/02_tensors/02_tensors.ipynb", "a/bob/02_tensors/02_tensors.ipynb"),
        ("a/ada.zip", "a/bob.zip"),
    ):
        inner = zipped({"02_tensors.ipynb": notebook()})
        data = {name: inner if name.endswith("zip") else notebook() for name in names}
        report = intake.take(intake.zip(data))
        assert [each.student for each in report.taken] == ["ada", "bob"]


def test_one_student_of_a_folder_stays_one(intake):
    report = intake.take(intake.zip({"ada/02_tensors.ipynb": notebook(), "ada/other.ipynb": b""}))
    assert [each.student for each in report.taken] == ["ada"]
    assert any("left out" in note for note in report.taken[0].notes)


def test_two_students_of_one_name_stay_two(intake):
    names = [f"Wei Wang_{number}_assignsubmission_file_/02_tensors.ipynb" for number in (7, 8)]
    intake.take(intake.zip({names[0]: notebook("seven"), names[1]: notebook("eight")}))
    assert (intake.text("Wei_Wang_7"), intake.text("Wei_Wang_8")) == ("seven", "eight")


def test_two_folders_that_give_one_id_are_refused(intake):
    report = intake.take(
        intake.folder(
            {
                "a b/02_tensors.ipynb": notebook(),
                "a_b/02_tensors.ipynb": notebook(),
                "c/02_tensors.ipynb": notebook(),
            }
        )
    )
    assert [each.student for each in report.taken] == ["c"]
    assert len(report.refused) == 2 and "rename" in report.refused[0]


def test_a_zip_may_have_backslashes_between_its_names(intake):
    intake.take(intake.zip({"ada\\02_tensors.ipynb": notebook()}))
    assert intake.students() == {"ada"}


def test_names_that_a_zip_wrote_as_utf8_without_saying_so(intake):
    path = intake.zip({"zoe_/02_tensors.ipynb": notebook()})
    name = "zoë/".encode()
    assert len(name) == len(b"zoe_/")
    path.write_bytes(path.read_bytes().replace(b"zoe_/", name))
    intake.take(path)
    assert intake.students() == {"zoë"}


# The roster.

ROSTER = """\
id,first_name,last_name,email,lms_user_id
al1,Ada,Lovelace,ada@mail.org,12345
zo1,Zoë,Müller,zoe@mail.org,
w1,Wei,Wang,,111
w2,Wei,Wang,,222
"""


@pytest.mark.parametrize(
    "name, student",
    [
        (CANVAS, "al1"),
        ("someoneelse_12345_67_02_tensors.ipynb", "al1"),
        (MOODLE, "al1"),
        ("Lovelace Ada_9_assignsubmission_file_/02_tensors.ipynb", "al1"),
        ("zoe muller_9_assignsubmission_file_/02_tensors.ipynb", "zo1"),
        ("mullerzoe_99_88_02_tensors.ipynb", "zo1"),
        ("al1/02_tensors.ipynb", "al1"),
        ("AL1.ipynb", "al1"),
        ("ada@mail.org.ipynb", "al1"),
        ("Ada Lovelace/02_tensors.ipynb", "al1"),
        ("wangwei_222_33_02_tensors.ipynb", "w2"),
        ("Wei Wang_111_assignsubmission_file_/02_tensors.ipynb", None),
        ("wangwei_333_33_02_tensors.ipynb", None),
        ("bob/02_tensors.ipynb", None),
        ("lovelaceada_777_33_02_tensors.ipynb", None),
    ],
)
def test_a_roster_knows_the_ids(intake, name, student):
    report = intake.take(intake.zip({name: notebook()}), ROSTER)
    assert [each.student for each in report.taken] == ([student] if student else [])
    assert len(report.refused) == (0 if student else 1)


@pytest.mark.parametrize(
    "roster, words",
    [
        ("name\nada\n", "no column id"),
        ("", "no column id"),
        ("id\nada\nada\n", "line 3: ada"),
        ("id\na+b\n", "line 2"),
        ("id,email\n,x@y\n", "line 2"),
        ("id\n../x\n", "line 2"),
    ],
)
def test_a_wrong_roster_is_one_sentence(intake, roster, words):
    with pytest.raises(CourseError, match=words):
        intake.take(intake.zip({CANVAS: notebook()}), roster)
    assert not (intake.root / "submitted").exists()


@pytest.mark.parametrize(
    "text", ["\ufeff" + ROSTER, ROSTER.replace(",", ";"), ROSTER.replace("\n", "\r\n")]
)
def test_a_roster_from_a_spreadsheet(intake, text):
    intake.take(intake.zip({CANVAS: notebook()}), text)
    assert intake.students() == {"al1"}


# Which notebook.


def test_a_single_notebook_may_have_any_name(intake):
    report = intake.take(intake.zip({"ada/Untitled (3).ipynb": notebook("mine")}))
    assert intake.text("ada") == "mine"
    assert "Untitled (3).ipynb" in report.taken[0].notes[0]


def test_of_several_the_one_of_the_right_name_is_taken(intake):
    report = intake.take(
        intake.zip(
            {
                "ada/02_tensors.new.ipynb": notebook("new"),
                "ada/02 Tensors (1).ipynb": notebook("right"),
                "ada/01_machine.ipynb": notebook("other"),
                "bob/a.ipynb": notebook(),
                "bob/b.ipynb": notebook(),
                "cid/x.ipynb": notebook(),
                "cid/my_02_tensors_final.ipynb": notebook("final"),
            }
        )
    )
    assert (intake.text("ada"), intake.text("cid")) == ("right", "final")
    assert len(report.refused) == 1 and "bob: there are 2 notebooks" in report.refused[0]


def test_the_later_of_several_wins(intake):
    path = intake.zip(
        {
            "lovelaceada_12345_700_02_tensors-1.ipynb": notebook("later"),
            "lovelaceada_12345_600_02_tensors.ipynb": notebook("earlier"),
        }
    )
    report = intake.take(path)
    assert intake.text("lovelaceada") == "later"
    assert "last of 2" in report.taken[0].notes[0]


def test_the_clock_decides_before_the_numbers(intake):
    file = intake.source.with_suffix(".zip")
    with zipfile.ZipFile(file, "w") as archive:
        for number, day in ((1, 3), (2, 1)):
            name = f"lovelaceada_12_34{number}_02_tensors.ipynb"
            info = zipfile.ZipInfo(name, (2025, 1, day, 0, 0, 0))
            archive.writestr(info, notebook(f"day = {day}"))
    intake.take(file)
    assert intake.text("lovelaceada") == "day = 3"


def test_what_cannot_be_told_apart_is_refused(intake):
    report = intake.take(
        intake.folder(
            {
                "ada/a/02_tensors.ipynb": notebook("a"),
                "ada/b/02_tensors.ipynb": notebook("b"),
                "bob/a/02_tensors.ipynb": notebook("same"),
                "bob/b/02_tensors.ipynb": notebook("same"),
            }
        )
    )
    assert intake.students() == {"bob"}
    assert "nothing says which" in report.refused[0]


def test_an_unreadable_notebook_gives_way_to_a_readable_one(intake):
    path = intake.zip(
        {
            "lovelaceada_12_700_02_tensors-1.ipynb": b"{",
            "lovelaceada_12_600_02_tensors.ipynb": notebook("readable"),
            "boole_13_601_02_tensors.ipynb": b"",
        }
    )
    report = intake.take(path)
    assert intake.text("lovelaceada") == "readable"
    assert sum("boole" in sentence for sentence in report.refused) == 2
    assert intake.students() == {"lovelaceada"}


@pytest.mark.parametrize(
    "data",
    [
        notebook().decode().encode("utf-16"),
        b"\xef\xbb\xbf" + notebook(),
        json.dumps(
            {
                "nbformat": 3,
                "nbformat_minor": 0,
                "metadata": {},
                "worksheets": [
                    {
                        "cells": [
                            {
                                "cell_type": "code",
                                "input": "x = 1",
                                "outputs": [],
                                "language": "python",
                            }
                        ]
                    }
                ],
            }
        ).encode(),
    ],
    ids=["utf-16", "bom", "nbformat 3"],
)
def test_what_nbgrader_could_not_read_is_converted(intake, data):
    intake.take(intake.zip({CANVAS: data}))
    stored = intake.place("lovelaceada") / f"{NAME}.ipynb"
    assert nbformat.read(stored, as_version=nbformat.NO_CONVERT).nbformat == 4
    assert intake.text("lovelaceada") == "x = 1"


def test_other_bytes_stay_as_they_came(intake):
    data = notebook().replace(b"\n", b"\r\n")
    intake.take(intake.zip({CANVAS: data}))
    assert (intake.place("lovelaceada") / f"{NAME}.ipynb").read_bytes() == data


# Other files, and zips in zips.


def test_files_beside_the_notebook_come_along(intake):
    inner = zipped(
        {
            "hw/02_tensors.ipynb": notebook("zipped"),
            "hw/helper.py": b"y = 1",
            "hw/data/a.csv": b"1",
            "note.txt": b"hi",
            "__MACOSX/hw/._x": b"",
            "hw/.ipynb_checkpoints/02_tensors-checkpoint.ipynb": notebook(),
        }
    )
    report = intake.take(
        intake.zip(
            {
                "Ada_5_assignsubmission_file_/all.zip": inner,
                "boole_66_77_02_tensors-2.ipynb": notebook(),
                "boole_66_78_helper-2.py": b"z = 1",
                ".DS_Store": b"",
                "boole_66_79_timestamp.txt": b"1999",
            }
        )
    )
    assert report.students("new") == ["Ada", "boole"]
    beside = {f"{NAME}.ipynb", *MARKS}
    assert intake.files("Ada") == beside | {"helper.py", "data/a.csv", "note.txt"}
    assert intake.files("boole") == beside | {"helper.py"}
    assert "timestamp.txt was left out" in report.refused[0]
    assert any("1 files that systems" in line for line in intake.said)


def test_too_much_beside_a_notebook_is_left_out(intake):
    files = {f"ada/{number:03}.txt": b"x" for number in range(150)}
    report = intake.take(intake.zip({"ada/02_tensors.ipynb": notebook(), **files}))
    assert len(intake.files("ada")) == 101 + len(MARKS)
    assert len(report.refused) == 1


def test_a_class_within_a_students_zip_is_refused(intake):
    inner = zipped({CANVAS: notebook(), "boole_66_77_02_tensors.ipynb": notebook()})
    report = intake.take(intake.folder({"download.zip": inner}))
    assert report.taken == () and "by itself" in report.refused[0]


# Time.


def test_the_time_stamp_is_what_nbgrader_reads(intake):
    intake.take(intake.zip({CANVAS: notebook()}))
    read = CourseDirectory().get_existing_timestamp(str(intake.place("lovelaceada")))
    local = datetime(*STAMP).astimezone(UTC)  # a zip of this kind has no time zone
    assert read == local.replace(tzinfo=None)


def test_an_exact_time_in_the_zip_is_taken(intake):
    info = zipfile.ZipInfo(CANVAS, STAMP)
    info.extra = struct.pack("<HHBi", 0x5455, 5, 1, 1_700_000_000)
    path = intake.source.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, notebook())
    intake.take(path)
    read = CourseDirectory().get_existing_timestamp(str(intake.place("lovelaceada")))
    assert read == datetime(2023, 11, 14, 22, 13, 20)


def test_no_time_is_no_time_stamp_and_a_students_zip_has_none(intake):
    intake.take(intake.zip({CANVAS: notebook()}, (1980, 1, 1, 0, 0, 0)))
    assert intake.files("lovelaceada") == {f"{NAME}.ipynb"}
    inner = zipped({"02_tensors.ipynb": notebook()}, (1999, 1, 1, 0, 0, 0))
    intake.take(intake.folder({"ada.zip": inner}))
    assert intake.files("ada") == {f"{NAME}.ipynb"}


# Again.


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in root.rglob("*")
        if path.is_file()
    }


def test_twice_changes_nothing(intake):
    source = intake.zip({CANVAS: notebook(), MOODLE: notebook(), "bob.ipynb": b"{"})
    intake.take(source)
    before = snapshot(intake.root)
    report = intake.take(source)
    assert snapshot(intake.root) == before
    assert len(report.students("unchanged")) == 2 and len(report.refused) == 2


def test_a_newer_one_replaces_and_the_older_is_kept_aside(intake):
    intake.take(intake.zip({CANVAS: notebook("first")}))
    report = intake.take(intake.zip({CANVAS: notebook("second")}, (2025, 3, 5, 0, 0, 0)))
    assert report.students("replaced") == ["lovelaceada"]
    assert any("replaced" in line for line in intake.said)
    assert intake.text("lovelaceada") == "second"
    aside = intake.root / "submitted/.replaced/lovelaceada" / NAME / "1"
    assert read_submission(aside / f"{NAME}.ipynb").cells[0].source == "first"
    assert intake.students() == {"lovelaceada"}
    older = intake.take(intake.zip({CANVAS: notebook("third")}, (2025, 3, 1, 0, 0, 0)))
    assert older.students("kept") == ["lovelaceada"]
    assert any("newer" in line for line in intake.said)
    assert intake.text("lovelaceada") == "second"


def test_what_a_killed_run_left_is_put_right(intake):
    left = intake.root / "submitted/.incoming-lovelaceada"
    left.mkdir(parents=True)
    (left / "half.ipynb").write_bytes(b"{")
    intake.take(intake.zip({CANVAS: notebook()}))
    assert "half.ipynb" not in intake.files("lovelaceada")


# Malice.


def test_links_and_special_files_are_refused(intake, tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(notebook("secret"))
    source = intake.folder({"bob/02_tensors.ipynb": notebook()})
    (source / "ada").mkdir()
    (source / "ada/02_tensors.ipynb").symlink_to(secret)
    (source / "cid").symlink_to(tmp_path)
    os.mkfifo(source / "bob" / "pipe")
    report = intake.take(source)
    assert intake.students() == {"bob"} and intake.files("bob") == {f"{NAME}.ipynb"}
    assert len(report.refused) == 3 and sum("is a link" in each for each in report.refused) == 2


def test_links_and_devices_in_a_zip_are_refused(intake):
    path = intake.source.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("bob/02_tensors.ipynb", notebook())
        for name, kind in (("link", stat.S_IFLNK), ("device", stat.S_IFCHR)):
            info = zipfile.ZipInfo(f"bob/{name}")
            info.external_attr = (kind | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    report = intake.take(path)
    assert intake.files("bob") == {f"{NAME}.ipynb", *MARKS}
    assert len(report.refused) == 2


@pytest.mark.parametrize(
    "name",
    [
        "../evil/02_tensors.ipynb",
        "/evil/02_tensors.ipynb",
        "ada/../../evil.ipynb",
        "..\\evil\\02_tensors.ipynb",
        "C:\\evil\\02_tensors.ipynb",
    ],
)
def test_paths_that_point_outside_are_refused(intake, name):
    outside = set(intake.root.parent.rglob("*"))
    report = intake.take(intake.zip({name: notebook(), "bob/02_tensors.ipynb": notebook()}))
    assert intake.students() == {"bob"} and len(report.refused) == 1
    new = set(intake.root.parent.rglob("*")) - outside
    assert all(path.is_relative_to(intake.root) or path.suffix == ".zip" for path in new)


@pytest.mark.parametrize("name", ["..", ".", "...", "-", "*", "?"])
def test_a_student_called_by_signs_alone_is_refused(intake, name):
    data = {f"{name}_12_assignsubmission_file_/02_tensors.ipynb": notebook()}
    report = intake.take(intake.zip(data))
    assert report.taken == () and len(report.refused) == 1


@pytest.mark.slow
def test_bombs_are_refused_and_the_rest_taken(intake):
    bomb = zipped(
        {
            "02_tensors.ipynb": notebook(),
            **{f"{number}.bin": bytes(LARGEST) for number in range(12)},
        }
    )
    large = zipped({"02_tensors.ipynb": b" " * (LARGEST + 1)})
    report = intake.take(
        intake.zip(
            {
                "ada.zip": bomb,
                "bob/02_tensors.ipynb": notebook(),
                "dan.zip": large,
                "cid/02_tensors.ipynb": bytes(LARGEST + 1),
            }
        )
    )
    assert intake.students() == {"bob"}
    assert any("ada.zip would unpack to" in each for each in report.refused)
    assert sum("larger than 20 MB" in each for each in report.refused) == 2


def test_an_entry_that_lies_about_its_size_is_cut_off(intake):
    data = zipped({"bob/02_tensors.ipynb": b" " * (LARGEST + 5)})
    lie = data.replace(struct.pack("<I", LARGEST + 5), struct.pack("<I", 10))
    path = intake.source.with_suffix(".zip")
    path.write_bytes(lie)
    report = intake.take(path)
    assert report.taken == () and "unpacked" in report.refused[0]


def test_encrypted_and_broken_zips_are_refused(intake):
    good = zipped({"02_tensors.ipynb": notebook()})
    locked = bytearray(good)
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        locked[locked.index(mark) + place] |= 1
    broken = bytearray(good)
    broken[40] ^= 0xFF
    odd = bytearray(good)
    for mark, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        odd[odd.index(mark) + place] = 99
    report = intake.take(
        intake.folder(
            {
                "ada.zip": bytes(locked),
                "bob.zip": bytes(broken),
                "cid.zip": good[:-10],
                "dan.zip": bytes(odd),
                "eve.zip": good,
            }
        )
    )
    assert intake.students() == {"eve"}
    assert any("encrypted" in each for each in report.refused)
    for name in ("ada", "bob", "cid", "dan"):
        assert any(each.startswith(f"{name}: ") for each in report.refused)


def test_no_sentence_carries_signs_that_steer_a_terminal(intake):
    report = intake.take(intake.zip({"\x1b[31mada\n/x.txt": b"1", "b\x07.txt": b"2"}))
    assert report.refused and all(sentence.isprintable() for sentence in report.refused)


# What can be taken in at all.


def test_mistakes_of_the_instructor_are_one_sentence(intake, tmp_path):
    source = intake.folder({"ada/02_tensors.ipynb": notebook()})
    with pytest.raises(CourseError, match="did you mean 02_tensors"):
        take_in(intake.root, "02_tensor", source, None, print)
    with pytest.raises(CourseError, match="is not there"):
        intake.take(tmp_path / "nothing")
    with pytest.raises(CourseError, match="neither a folder nor a zip"):
        intake.take(source / "ada/02_tensors.ipynb")
    with pytest.raises(CourseError, match="one in the other"):
        intake.take(intake.root)
    (tmp_path / "empty").mkdir()
    with pytest.raises(CourseError, match="no notebook"):
        intake.take(tmp_path / "empty")
    truncated = tmp_path / "cut.zip"
    truncated.write_bytes(zipped({CANVAS: notebook()})[:-30])
    with pytest.raises(CourseError, match="neither a folder"):
        intake.take(truncated)


def test_a_disk_that_does_not_take_it_is_one_sentence(intake):
    (intake.root / "submitted").write_text("a file where a folder should be")
    with pytest.raises(CourseError, match="is a file"):
        take_in(intake.root, NAME, intake.zip({CANVAS: notebook()}), None, print)
