"""What platforms hand out, as real folders and zips, comes to where nbgrader looks for it."""

import contextlib
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

from course_grading.feedback import NBGRADERS_FILES
from course_grading.intake.command import IntakeReport, take_in
from course_notebooks.reading import LARGEST, read_submission
from course_utils.errors import CourseError

NAME = "02_tensors"
STAMP = (2025, 3, 4, 15, 6, 8)
CANVAS = "lovelaceada_12345_678901_02_tensors.ipynb"
TAKEN = {f"{NAME}.ipynb", *NBGRADERS_FILES}
MOODLE = "Ada Lovelace_123456_assignsubmission_file_/02_tensors.ipynb"


def notebook(text: str = "x = 1") -> bytes:
    return nbformat.writes(new_notebook(cells=[new_code_cell(text, id="a")])).encode()


def zipped(files: dict[str, bytes], time: tuple[int, ...] = STAMP) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, time), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def of(report: IntakeReport, state: str) -> list[str]:
    return [student for student, became in report.taken.items() if became == state]


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

    def take(
        self, source: Path, roster: str | None = None, times: str | None = None
    ) -> IntakeReport:
        tables = []
        for name, text in (("roster", roster), ("times", times)):
            path = self.root / f"{name}.csv"
            tables.append(None if text is None else path)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        self.said.clear()
        report = take_in(self.root, NAME, source, tables[0], self.said.append, tables[1])
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
        there = api.get_submitted_students(NAME)
        return {student for student in there if "not_taken.txt" not in self.files(student)}

    def noted(self, student: str) -> str:
        """Why nothing of a student's was taken."""
        return (self.place(student) / "not_taken.txt").read_text()


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
    assert [*report.taken] == [student]
    assert (report.refused, intake.text(student)) == ([], "mine")
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
        report = intake.take(intake.zip(data), "id\nada\nbob\n")
        assert [*report.taken] == ["ada", "bob"]
        assert ", in the folder " in intake.said[0]


@pytest.mark.parametrize(
    "names",
    [
        ("ada/02_tensors/02_tensors.ipynb", "jgarcia/02_tensors/02_tensors.ipynb"),
        ("ada.ipynb", "jgarcia.ipynb"),
        (CANVAS, "garciaj_66_77_02_tensors.ipynb"),
        ("deep/ada.zip", "deep/jgarcia.zip"),
    ],
)
@pytest.mark.parametrize("around", ["", "submitted/"])
def test_without_a_roster_a_folder_of_one_student_is_none_around_a_class(intake, names, around):
    files = {f"{around}mallory/{name}": notebook("mallory's") for name in names}
    with contextlib.suppress(CourseError):  # nbgrader's folder, and nothing of this assignment
        intake.take(intake.zip(files))
        assert any("without --roster that is one student's" in line for line in intake.said)
    assert intake.students() <= {"mallory", "submitted"}


def test_one_student_of_a_folder_stays_one(intake):
    report = intake.take(intake.zip({"ada/02_tensors.ipynb": notebook(), "ada/other.ipynb": b""}))
    assert [*report.taken] == ["ada"]
    assert any("beside it" in line for line in intake.said)


def test_two_students_of_one_name_stay_two(intake):
    names = [f"Wei Wang_{number}_assignsubmission_file_/02_tensors.ipynb" for number in (7, 8)]
    intake.take(intake.zip({names[0]: notebook("seven"), names[1]: notebook("eight")}))
    assert (intake.text("Wei_Wang_7"), intake.text("Wei_Wang_8")) == ("seven", "eight")


def test_two_folders_that_give_one_id_are_refused(intake):
    files = {f"{name}/02_tensors.ipynb": notebook() for name in ("a b", "a_b", "c")}
    report = intake.take(intake.folder(files))
    assert [*report.taken] == ["c"]
    assert len(report.refused) == 1 and "a b and a_b may all be a_b" in report.refused[0]


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
EVES = ROSTER + "eve,Eve,Mallory,,\n"


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
        ("Wei Wang_111_assignsubmission_file_/02_tensors.ipynb", "w1"),
        ("Wei Wang_333_assignsubmission_file_/02_tensors.ipynb", None),
        ("wangwei_333_33_02_tensors.ipynb", None),
        ("bob/02_tensors.ipynb", None),
        ("lovelaceada_777_33_02_tensors.ipynb", None),
    ],
)
def test_a_roster_knows_the_ids(intake, name, student):
    report = intake.take(intake.zip({name: notebook()}), ROSTER)
    assert [*report.taken] == ([student] if student else [])
    assert len(report.refused) == (0 if student else 1)


@pytest.mark.parametrize(
    "roster, words",
    [
        ("name\nada\n", "no column id"),
        ("", "no column id"),
        ("id\nada\nada\n", "line 3: 'ada'"),
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
    beside = {"02_tensors.new.ipynb", "01_machine.ipynb"}  # which grading looks into
    assert beside < intake.files("ada") and "x.ipynb" in intake.files("cid")


def test_the_numbers_decide_and_no_clock(intake):
    """A clock in a zip says when it was put there."""
    file = intake.source.with_suffix(".zip")
    with zipfile.ZipFile(file, "w") as archive:
        for number, day in ((1, 3), (2, 1)):
            name = f"lovelaceada_12_34{number}_02_tensors.ipynb"
            info = zipfile.ZipInfo(name, (2025, 1, day, 0, 0, 0))
            archive.writestr(info, notebook(f"day = {day}"))
    intake.take(file)
    assert intake.text("lovelaceada") == "day = 1"
    assert any("last of 2" in line for line in intake.said)


def test_what_cannot_be_told_apart_is_refused(intake):
    files = {f"ada/{place}/02_tensors.ipynb": notebook(place) for place in "ab"}
    files |= {f"bob/{place}/02_tensors.ipynb": notebook("same") for place in "ab"}
    report = intake.take(intake.folder(files))
    assert intake.students() == {"bob"}
    assert "delete all but the last" in report.refused[0]


def test_of_one_name_twenty_notebooks_are_read_and_no_more(intake):
    copies = [("ada", number) for number in range(20)] + [("bob", number) for number in range(21)]
    files = {f"{student}/{number}/02_tensors.ipynb": notebook() for student, number in copies}
    report = intake.take(intake.folder(files))
    assert intake.students() == {"ada"} and len(report.refused) == 1
    assert "bob: there are 21 notebooks" in report.refused[0]


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
    assert sum("boole" in sentence for sentence in report.refused) == 1
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
                "Ada_55_80_all.zip": inner,
                "boole_66_77_02_tensors-2.ipynb": notebook(),
                "boole_66_78_helper-2.py": b"z = 1",
                ".DS_Store": b"",
                "boole_66_79_timestamp.txt": b"1999",
            }
        )
    )
    assert of(report, "new") == ["Ada", "boole"]
    assert intake.files("Ada") == TAKEN | {"helper.py", "data/a.csv", "note.txt"}
    assert intake.files("boole") == TAKEN | {"helper.py", "helper-2.py"}
    assert "timestamp.txt was left out" in report.refused[0]
    assert any("1 files that systems" in line for line in intake.said)


def test_too_much_beside_a_notebook_is_left_out(intake):
    files = {f"ada/{number:03}.txt": b"x" for number in range(150)}
    report = intake.take(intake.zip({"ada/02_tensors.ipynb": notebook(), **files}))
    assert len(intake.files("ada")) == 100 + len(TAKEN)
    assert len(report.refused) == 1


# Time.


@pytest.mark.parametrize("name", [CANVAS, MOODLE, "ada/02_tensors.ipynb"])
def test_the_time_of_a_zip_is_nobodys_time(intake, name):
    """Platforms write into it when it was downloaded, and then the whole class is late."""
    report = intake.take(intake.zip({name: notebook()}))
    assert intake.files(*report.taken) == TAKEN


@pytest.mark.parametrize(
    "written, read",
    [
        ("2025-03-04 15:06:08", datetime(2025, 3, 4, 15, 6, 8).astimezone(UTC)),
        ("2025-03-04T15:06:08+09:00", datetime(2025, 3, 4, 6, 6, 8, tzinfo=UTC)),
        ("2025-03-04T15:06:08Z", datetime(2025, 3, 4, 15, 6, 8, tzinfo=UTC)),
    ],
)
def test_a_table_says_when_and_nbgrader_reads_it(intake, written, read):
    table = f"id,name,time\nbob,,\nlovelaceada,Ada,{written}\n"
    intake.take(intake.zip({CANVAS: notebook(), "boole_66_77_x.ipynb": notebook()}), None, table)
    there = CourseDirectory().get_existing_timestamp(str(intake.place("lovelaceada")))
    assert there == read.replace(tzinfo=None)
    assert intake.files("boole") == TAKEN
    assert "Time unknown for 1, so not late; a table can tell: --times FILE." in intake.said
    intake.take(intake.zip({CANVAS: notebook()}), None, table.replace("bob,,", f"bob,,{written}"))
    assert any("has times for bob, and no submission" in line for line in intake.said)


@pytest.mark.parametrize(
    "table, words", [("id\nada\n", "no column time"), ("id,time\nada,noon\n", "line 2: 'noon'")]
)
def test_a_wrong_table_is_one_sentence(intake, table, words):
    with pytest.raises(CourseError, match=words):
        intake.take(intake.zip({CANVAS: notebook()}), None, table)


def test_canvas_says_that_one_came_late_and_not_when(intake):
    late = "boolegeorge_LATE_66_77_02_tensors.ipynb"
    source, stamp = intake.zip({CANVAS: notebook(), late: notebook()}), "2026-11-20 12:00:00"
    intake.take(source)
    assert [line for line in intake.said if "marks it as late" in line and "boolegeorge" in line]
    intake.take(source, None, f"id,time\nboolegeorge,{stamp}Z\n")
    assert f"  boolegeorge: unchanged, and its time is {stamp} UTC now." in intake.said
    intake.take(source)  # without the table, the time stays
    assert not any("as late" in line or "boolegeorge" in line for line in intake.said)
    assert (intake.place("boolegeorge") / "timestamp.txt").read_text() == f"{stamp}.000000 UTC"


# Students who try to harm.


HEAD = "_assignsubmission_file_"


@pytest.mark.parametrize("inside", ["", "/"])
@pytest.mark.parametrize(
    "name",
    [
        "Ａｄａ Ｌｏｖｅｌａｃｅ",
        "𝐀𝐝𝐚 Lovelace",
        f"Ada Lovelace_123456{HEAD}",
        f"Ada Lovelace_9{HEAD}02_tensors.ipynb",
        f"lovelaceada_12345_67_02 {HEAD}",
    ],
)
@pytest.mark.parametrize("roster", [None, ROSTER])
def test_a_name_that_somebody_chose_takes_nobodys_place(intake, name, roster, inside):
    files = {f"{name}_7{HEAD}{inside}{n}02_tensors.ipynb": notebook("mine") for n in range(3)}
    files |= {MOODLE: notebook("hers"), MOODLE.replace("Ada Lovelace", "Zoë Müller"): notebook()}
    report = intake.take(intake.zip(files), roster)
    ada, zoe = ("al1", "zo1") if roster else ("Ada_Lovelace", "Zoë_Müller")
    assert {ada, zoe} <= intake.students() and intake.text(ada) == "hers"
    assert not any(each.startswith((ada, zoe)) for each in report.refused)


@pytest.mark.parametrize("name", ["Ada Lovelace", "ada LOVELACE", "Adà Lovelace", "Lovelace Ada"])
def test_a_name_that_two_have_is_nobodys(intake, name):
    files = {MOODLE: notebook("hers"), f"{name}_7{HEAD}/02_tensors.ipynb": notebook("mine")}
    files[f"Zoë Müller_8{HEAD}/02_tensors.ipynb"] = notebook()
    report = intake.take(intake.zip(files), ROSTER)
    (why,) = report.refused
    assert f"Ada Lovelace (123456) and {name} (7) may all be al1" in why and "lms_user_id" in why
    assert intake.students() == {"zo1"} and f"{name} (7)" in intake.noted("al1")
    report = intake.take(intake.zip(files), ROSTER.replace("12345\n", "123456\n"))
    assert intake.text("al1") == "hers"
    assert report.refused == [
        f"{name} (7) is called as al1 is, and has another number: ask who it is."
    ]


def test_ids_are_told_apart_whatever_names_end_in(intake):
    names = "Wei Wang_7", "Wei Wang_8", "Wei Wang 7_9", "Wei Wang 7 9_10"
    intake.take(intake.zip({f"{n}{HEAD}/02_tensors.ipynb": notebook(n) for n in names}))
    taken = {student: intake.text(student) for student in intake.students()}
    assert taken == {"Wei_Wang_8": names[1], "Wei_Wang_7_9": names[3]}
    assert "Wei Wang (7) and Wei Wang 7 (9) may all be" in intake.noted("Wei_Wang_7")


@pytest.mark.parametrize(
    "around, roster", [("", None), ("", EVES), ("class/", EVES)], ids=["alone", "roster", "class"]
)
@pytest.mark.parametrize(
    "name",
    [
        "lovelaceada_12345_77_02_tensors.ipynb",
        "Ada Lovelace_9_assignsubmission_file_02_tensors.ipynb",
        "al1/02_tensors/02_tensors.ipynb",
        "al1/02_tensors.ipynb",
    ],
)
def test_what_lies_in_a_students_folder_is_that_students(intake, name, roster, around):
    files = {f"{around}eve/{name}": notebook("eve's"), f"{around}zo1/02_tensors.ipynb": notebook()}
    intake.take(intake.folder(files), roster)
    assert intake.students() == {"eve", "zo1"} and intake.text("eve") == "eve's"


def test_a_student_alone_is_no_folder_around_a_class(intake):
    names = ["lovelaceada_12345_7_a.ipynb", "zo1_99_8_a.ipynb", "w1/a.ipynb"]
    files = {f"eve/{name}": notebook() for name in names}
    report = intake.take(intake.folder(files), EVES)
    assert intake.students() == set() and "eve: there are 3 notebooks" in report.refused[0]


@pytest.mark.parametrize("name", [".", "..", "..ipynb", "-1.ipynb", "a/../b", "x" * 4800 + "/a"])
def test_an_odd_name_is_one_refusal(intake, name):
    """`.` and `..` after what Canvas writes, and a long path in a zip of the student's own."""
    inner = zipped({"02_tensors.ipynb": notebook("hers"), name: b"1"})
    files = {
        f"malloryeve_66_77_{name}": notebook(),
        "longpath_67_78_all.zip": inner,
        "/".join(["deep_68_79_02_tensors.zip"]): zipped({"/".join("d" * 2400) + "/x.ipynb": b"1"}),
        CANVAS: notebook("hers"),
    }
    intake.take(intake.zip(files))
    assert intake.text("lovelaceada") == intake.text("longpath") == "hers"
    assert max(map(len, intake.said)) < 500


def test_what_nobody_foresaw_ends_nobody_elses_intake(intake, monkeypatch):
    from course_grading.intake import command

    def choose(files, assignment, refuse, choose=command.choose):
        if "ada" in files[0].origin:
            raise RuntimeError("something new")
        return choose(files, assignment, refuse)

    monkeypatch.setattr(command, "choose", choose)
    report = intake.take(intake.zip({"ada.ipynb": notebook(), "bob.ipynb": notebook()}))
    assert intake.students() == {"bob"}
    assert len(report.refused) == 1 and "RuntimeError" in report.refused[0]


def test_whose_work_was_refused_is_not_missing(intake):
    intake.take(intake.zip({"ada.ipynb": b"{", "bob.ipynb": notebook()}))
    assert "only a part" in intake.noted("ada")
    report = intake.take(intake.zip({"ada.ipynb": notebook("at last"), "bob.ipynb": b"{"}))
    assert of(report, "replaced") == ["ada"] and intake.text("ada") == "at last"
    assert len(report.refused) == 1 and intake.text("bob") == "x = 1"


# Every platform of the table, and a student who tries to hand in as Ada.

CLASS = """\
id,first_name,last_name,email,lms_user_id
al1,Ada,Lovelace,ada@mail.org,12345
zo1,Zoë,Müller,zoe@mail.org,222
eve,Eve,Mallory,eve@mail.org,66
van_al1,Xa,Van,,
"""
ADAS, EVES_OWN, WORK = notebook("Ada's"), notebook("Eve's"), "02_tensors.ipynb"


def blackboard(login: str, time: str = "04", **files: bytes) -> dict[str, bytes]:
    head = f"02 tensors_{login}_attempt_2025-03-{time}-15-06-08"
    table = {f"{head}.txt": f"Name: Eve (al1) ({login})\nAssignment: al1\n".encode()}
    return table | {f"{head}_{name}": data for name, data in files.items()}


def gradescope(*students: tuple[str, str]) -> dict[str, bytes]:
    row = "submission_{}:\n  :submitters:\n  - :name: Ada\n    :sid: '{}'\n    :email: {}\n"
    row += "  :created_at: 2025-03-04 07:06:08.123456789 -08:00\n"
    text = "".join(row.format(number, *each) for number, each in enumerate(students))
    return {"assignment_1_export/submission_metadata.yml": text.encode()}


EXPORT, CLONED = "assignment_1_export/submission_", "hw-1-submissions/hw-1-"
OLD = {WORK: notebook("old"), "a.py": b"old"}
SHAM = "al1_attempt_2030-01-01-00-00-00"
PLATFORM = {
    "Canvas": {f"lovelaceada_12345_900_{WORK}": ADAS, "malloryeve_66_text.html": b""},
    "Canvas, anonymous": {f"LATE_anon_12345_9_10_{WORK}": ADAS, f"anon_x2345_7_{WORK}": EVES_OWN},
    "Moodle": {f"Ada Lovelace_9_assignsubmission_file/{WORK}": ADAS},
    "Blackboard": blackboard("al1", "04", **OLD) | blackboard("al1", "05", **{"x.ipynb": ADAS}),
    "Gradescope": gradescope(("7", "ada@mail.org")) | {f"{EXPORT}0/{WORK}": ADAS},
    "GitHub Classroom": {f"{CLONED}12345/{WORK}": ADAS, f"{CLONED}al1/{WORK}": EVES_OWN},
    "ILIAS": {f"Title/Abgaben/Lovelace_Ada_al1_4711/{WORK}": ADAS},
    "Google Classroom": {f"hw/Ada Lovelace - {WORK}": ADAS, f"hw/Eve Mallory - {WORK}": EVES_OWN},
    "nbgrader": {
        f"submitted/al1/{NAME}/{WORK}": ADAS,
        f"submitted/al1/{NAME}/timestamp.txt": b"2025-03-04 15:06:08.123456 UTC",
    },
}


@pytest.mark.parametrize("platform", PLATFORM)
def test_a_platform_is_a_row_of_a_table(intake, platform):
    intake.take(intake.zip(PLATFORM[platform]), CLASS)
    assert f"Read as {platform}" in "\n".join(intake.said) and intake.text("al1") == "Ada's"
    stamp = "2025-03-04 15:06:08.123456 UTC" if platform in ("Gradescope", "nbgrader") else ""
    assert (intake.place("al1") / "timestamp.txt").read_text() == stamp
    assert intake.files("al1") == TAKEN


@pytest.mark.parametrize(
    "files",
    [
        {f"malloryeve_66_78_lovelaceada_12345_9_{WORK}": EVES_OWN, CANVAS: ADAS},
        {f"lovelaceada_12345_66_901_{WORK}": EVES_OWN, f"mullerzoe_222_900_{WORK}": ADAS},
        {f"m_66_91_hw_{SHAM}.txt": b"Name: A (al1)\n", f"m_66_92_hw_{SHAM}_{WORK}": EVES_OWN},
        {f"m_66_{n}_u{n}_{SHAM}_{WORK}": EVES_OWN for n in range(99)} | PLATFORM["Canvas"],
        {f"Eve M_7_assignsubmission_file_Ada Lovelace_9_assignsubmission_file_{WORK}": EVES_OWN},
        blackboard("eve", **{f"{SHAM}_{WORK}": EVES_OWN, f"{SHAM}.txt": b"Name: A (al1)\n"}),
        blackboard("van_al1", **{WORK: EVES_OWN}) | blackboard("al1", **{WORK: ADAS}),
        gradescope(("al1", "eve@mail.org")) | {f"{EXPORT}0/{WORK}": EVES_OWN},
        gradescope(("al1", "else@mail.org")) | {f"{EXPORT}0/{WORK}": EVES_OWN},
        {f"submission_0/{name.rpartition('/')[2]}": EVES_OWN for name in gradescope()},
        {f"{CLONED}al1/{WORK}": EVES_OWN, f"{CLONED}x-12345/{WORK}": EVES_OWN},
        {f"{CLONED}66/{CLONED}12345/{WORK}": EVES_OWN},
        {f"T/A/Lovelace_Ada_eve_12/{WORK}": EVES_OWN, f"T/A/Van_Xa_van_al1_5/{WORK}": EVES_OWN},
        {f"submitted/eve/{NAME}/submitted/al1/{NAME}/{WORK}": EVES_OWN},
        {f"101-22 - Ada Lovelace - Mar 4, 2025 306 PM/{WORK}": EVES_OWN, "index.html": b""},
        {f"al1+{NAME}+2025-03-04 15:06:08 UTC+x/{WORK}": EVES_OWN},
        {"copy_" * 9_000 + "x.ipynb": EVES_OWN, "_1" * 30_000 + "/x": b"", f"eve/{WORK}": EVES_OWN},
    ],
)
@pytest.mark.parametrize("roster", [CLASS, None])
def test_nothing_is_filed_under_another_student(intake, files, roster):
    report = intake.take(intake.zip(files), roster)
    mine = {"al1"} if roster else {"lovelaceada", "Ada_Lovelace"}
    assert {intake.text(each) for each in mine & {*report.taken}} <= {"Ada's"}


# Again.


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in root.rglob("*")
        if path.is_file()
    }


def test_twice_changes_nothing(intake):
    source = intake.zip({"ada.ipynb": notebook(), "zoe.ipynb": notebook(), "bob.ipynb": b"{"})
    intake.take(source)
    before = snapshot(intake.root)
    report = intake.take(source)
    assert snapshot(intake.root) == before
    assert len(of(report, "unchanged")) == 2 and len(report.refused) == 1


def test_a_newer_one_replaces_and_the_older_is_kept_aside(intake):
    intake.take(intake.zip({CANVAS: notebook("first")}))
    at = "id,time\nlovelaceada,2025-03-{} 12:00\n"
    report = intake.take(intake.zip({CANVAS: notebook("second")}), None, at.format("05"))
    assert of(report, "replaced") == ["lovelaceada"]
    assert any("replaced" in line for line in intake.said)
    assert intake.text("lovelaceada") == "second"
    aside = intake.root / "submitted/.replaced/lovelaceada" / NAME / "1"
    assert read_submission(aside / f"{NAME}.ipynb").cells[0].source == "first"
    assert intake.students() == {"lovelaceada"}
    older = intake.take(intake.zip({CANVAS: notebook("third")}), None, at.format("01"))
    assert of(older, "kept") == ["lovelaceada"]
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
    assert intake.students() == {"bob"} and intake.files("bob") == TAKEN
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
    assert intake.files("bob") == TAKEN
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
    assert report.taken == {} and len(report.refused) == 1


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
    assert report.taken == {} and "unpacked" in report.refused[0]


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
    with pytest.raises(CourseError, match="exists"):
        take_in(intake.root, NAME, intake.zip({CANVAS: notebook()}), None, print)
