"""words.md: what it must hold, and the sentence for each thing that it lacks."""

from pathlib import Path

import pytest

from exercise_kit.errors import ExerciseError
from exercise_kit.words import general_findings, read_words

WORDS = """\
# Findings

## not-kept: the batch stayed
`to` returns a new tensor;
nothing kept it.

Next: keep what `to`
returns.

Hint: 1

# Hints

## 1
Look at `to`.

## 2
```python
# Findings are no heading here
## nor this
x = 1
```
"""


def read(tmp_path: Path, text: str):
    file = tmp_path / "words.md"
    file.write_text(text, encoding="utf-8")
    return read_words(file, general_findings())


def test_findings_and_hints_are_read(tmp_path):
    words = read(tmp_path, WORDS)
    wording = words.finding("not-kept")
    assert wording.title == "the batch stayed"
    assert wording.explanation == "`to` returns a new tensor; nothing kept it."
    assert (wording.next_step, wording.hint) == ("keep what `to` returns.", 1)
    assert words.hints[1].count("\n") == 4


def test_general_findings_need_no_words_of_the_exercise(tmp_path):
    words = read(tmp_path, WORDS)
    assert words.finding("nothing-returned") == general_findings()["nothing-returned"]
    own = WORDS.replace("## not-kept", "## nothing-returned")
    assert read(tmp_path, own).finding("nothing-returned").title == "the batch stayed"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("# Findings\n", "", "is above # Findings"),
        ("# Findings\n", "Hello\n", "begins with “Hello”"),
        ("# Hints", "# Clues", "must be # Findings or # Hints"),
        ("## not-kept:", "## Not kept:", "Write a name in kebab-case"),
        ("## not-kept: the batch stayed", "## not-kept", "Write a name in kebab-case"),
        ("Next: keep", "Then keep", "Write an explanation, then a paragraph"),
        ("Hint: 1", "Hint: 3", "names hint 3, but there are only 2"),
        ("## 2", "## 3", "the hint “3” must be called 2"),
        ("Look at `to`.", "", "hint 1 is empty. Write it"),
    ],
)
def test_what_is_missing_is_one_sentence_with_the_file(tmp_path, old, new, said):
    with pytest.raises(ExerciseError) as raised:
        read(tmp_path, WORDS.replace(old, new, 1))
    assert said in str(raised.value) and str(tmp_path / "words.md") in str(raised.value)


def test_a_finding_given_twice_and_one_without_words_are_named(tmp_path):
    entry = WORDS[WORDS.index("## not") : WORDS.index("# Hints")]
    twice = WORDS.replace("# Hints", entry + "# Hints")
    with pytest.raises(ExerciseError, match="has the finding not-kept twice"):
        read(tmp_path, twice)
    with pytest.raises(ExerciseError, match="has no text for the finding unheard-of"):
        read(tmp_path, WORDS).finding("unheard-of")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ExerciseError, match=r"words\.md cannot be read"):
        read_words(tmp_path / "words.md")
