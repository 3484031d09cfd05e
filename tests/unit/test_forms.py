"""Forms: their fields, what they put into a notebook, and what they take from one."""

import inspect
import json
import os
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import course_workspace
from course_utils import explore
from course_utils.checking.answering import answer
from course_utils.checking.view import GREY, Line, Message
from course_utils.errors import CourseError
from course_utils.forms.explorer import EXPLORERS
from course_utils.forms.fields import RadioButtons, Slider, TextField
from course_utils.forms.form import MIME, Form

LABEXTENSION = Path(course_workspace.__file__).parent / "labextension"
INSTALLED = Path(sysconfig.get_path("data"), "share/jupyter/labextensions/on-the-right-device")

PET = RadioButtons("pet", "", ("a `cat`", "a dog"))
NAME = TextField("name", "Its name", "Tom")
WHOLE = Slider("legs", "Legs", 0, 8, 2, value=4)
REAL = Slider("time", "Time", 0.0, 1.5, 0.5, unit="ms")


def reply(pet: str, name: str) -> Message:
    return Message("→", GREY, (Line(f"{pet}:", name),))


FORM = Form("quiz", "02.pet", "Which <img src=x> `pet`?", (PET, NAME), reply)


@pytest.mark.parametrize(
    ("field", "taken"),
    [
        (PET, "a dog"),
        (NAME, ""),
        (NAME, "x" * 200),
        (TextField("text", "", rows=3), "two\nlines"),
        (WHOLE, 6),
        (WHOLE, 6.0),
        (REAL, 1),
        (REAL, 0.5),
    ],
)
def test_a_field_takes_its_answers(field, taken):
    assert field.checked(taken) == taken


def test_code_among_choices_may_be_typed_as_it_is_shown():
    assert PET.checked("a cat") == "a `cat`"


@pytest.mark.parametrize(
    ("field", "refused", "said"),
    [
        (PET, "a bird", "not one of the choices"),
        (PET, None, "not one of the choices"),
        (NAME, "x" * 201, "200 characters at most"),
        (NAME, 3, "200 characters at most"),
        (NAME, "two\nlines", "one line"),
        (WHOLE, 9, "from 0 to 8"),
        (WHOLE, 2.5, "not a whole number"),
        (WHOLE, "2", "from 0 to 8"),
        (WHOLE, True, "from 0 to 8"),
        (REAL, float("nan"), "from 0.0 to 1.5"),
        (REAL, float("inf"), "from 0.0 to 1.5"),
        (REAL, None, "from 0.0 to 1.5"),
    ],
)
def test_a_field_says_what_it_does_not_take(field, refused, said):
    with pytest.raises(CourseError, match=said):
        field.checked(refused)


def test_whole_numbers_stay_whole():
    assert repr(WHOLE.checked(6.0)) == "6" and repr(REAL.checked(1)) == "1.0"
    assert REAL.value == 0.0


def test_a_form_replies_when_its_choice_is_made():
    assert FORM.reply is None
    named = FORM.answered({"name": "Tim"})
    assert named.reply is None and named.values == {"pet": None, "name": "Tim"}
    assert FORM.answered({"pet": "a dog"}).reply.text == "→ a dog: Tom"
    with pytest.raises(CourseError, match=r"has no field 'age'\. Give pet, name"):
        FORM.answered({"age": 3})


def test_a_form_is_data_and_html_and_text():
    bundle = FORM.answered({"pet": "a dog"})._repr_mimebundle_()
    assert json.loads(json.dumps(bundle)) == bundle
    drawn = bundle[MIME]
    assert (drawn["call"], drawn["key"], drawn["question"]) == ("quiz", "02.pet", FORM.question)
    assert [field["value"] for field in drawn["fields"]] == ["a dog", "Tom"]
    assert "Tom</p>" in drawn["reply"] and drawn["reply"] in bundle["text/html"]
    assert "<li>a <code>cat</code></li>" in bundle["text/html"]
    assert "<img" not in bundle["text/html"]
    line = 'quiz("02.pet", pet="a dog", name="Tom")'
    assert line in bundle["text/html"] and line in bundle["text/plain"]
    assert "  ( ) a `cat`" in bundle["text/plain"]


def test_the_line_that_answers_names_no_choice_before_one_is_made():
    assert 'quiz("02.pet", pet="…", name="Tom")' in repr(FORM)


def test_the_line_that_answers_is_python():
    asked = FORM.answered({"pet": "a dog", "name": 'a "b" \\ c'})
    line = asked._repr_mimebundle_()["text/plain"].splitlines()[-2].removeprefix("In plain text: ")
    assert eval(line, {"quiz": lambda key, **given: given}) == asked.answers


@pytest.mark.parametrize(
    "request_",
    [
        "",
        "{",
        "null",
        "[]",
        '"quiz"',
        "{}",
        '{"call": "quiz"}',
        '{"call": "__import__", "key": "os", "answers": {}}',
        '{"call": "check", "key": "tensors.move_batch", "answers": {}}',
        '{"call": ["quiz"], "key": "02.x", "answers": {}}',
        '{"call": "quiz", "key": 2, "answers": {}}',
        '{"call": "quiz", "key": "02.x", "answers": []}',
    ],
)
def test_a_forged_request_is_refused_in_a_sentence(request_):
    with pytest.raises(CourseError, match=r"no such form. Run its cell again"):
        answer(request_)


def test_an_explorer_is_answered_anew():
    request = {"call": "explore", "key": "visible", "answers": {"setting": "1", "cards": 3}}
    form = answer(json.dumps(request))
    assert repr(form.reply) == repr(explore("visible", setting="1", cards=3))
    assert "<img" in form._repr_mimebundle_()[MIME]["reply"]
    with pytest.raises(CourseError, match=r"no explorer called 'visble'\. Did you mean 'visible'"):
        explore("visble")


def ends(field: RadioButtons | TextField | Slider) -> list:
    if isinstance(field, RadioButtons):
        return list(field.choices)
    if isinstance(field, Slider):
        return sorted({field.lowest, field.value, field.highest})
    return [field.value]


def corners(choices: Sequence[Sequence[Any]]) -> Iterator[list[Any]]:
    """All at their first choice or all at their last, and with each other choice of one of them."""
    for end in (0, -1):
        base = [each[end] for each in choices]
        yield base
        for place, others in enumerate(choices):
            yield from ([*base[:place], other, *base[place + 1 :]] for other in others)


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.usefixtures("four_gpus")
def test_every_explorer_draws_at_the_ends_of_its_fields():
    explore("visible")  # imports the module of the course's explorers
    for form in EXPLORERS.values():
        parameters = inspect.signature(form.respond).parameters.values()
        fields = {field.name for field in form.fields}  # a choice of the reader's own GPU may lack
        assert {p.name for p in parameters if p.default is p.empty or p.name in fields} == fields
        for values in corners([ends(field) for field in form.fields]):
            names = [field.name for field in form.fields]
            assert form.answered(dict(zip(names, values, strict=True))).reply._repr_html_()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "seen"),
    [
        ("2,0", "cuda:0 is card 2 and cuda:1 is card 0"),
        ("", "there is no device"),
        ("1,1", "there is no device"),
        ("3,9,0", "cuda:0 is card 3;"),
        ("GPU-1", "there is no device"),
    ],
)
def test_visible_cards_are_those_of_torch(monkeypatch, setting, seen):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")
    assert seen in repr(explore("visible", setting=setting, cards=4))
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "7"


@pytest.mark.parametrize("setting", ["+", "²", "\0"])
def test_what_torch_cannot_read_is_said(setting):
    with pytest.raises(CourseError, match="torch cannot read"):
        explore("visible", setting=setting)


def test_jupyterlab_finds_the_extension_as_it_is_here():
    """An editable install copies it: `make` renews the copy, or `pip install -e .`."""
    source = {
        path.relative_to(LABEXTENSION): path.read_bytes()
        for path in LABEXTENSION.rglob("*")
        if path.is_file()
    }
    installed = {
        path.relative_to(INSTALLED): path.read_bytes()
        for path in INSTALLED.rglob("*")
        if path.is_file()
    }
    assert source == installed
