"""known.json: the public cases of an exercise with their right facts, shipped as data.

So a learner's computer runs only the learner's answer. `build` makes the file from the exercise's
own answer and its wrong answers, and stores a digest of them in it.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from exercise_kit.contract import CONTRACT, Case, Rival
from exercise_kit.corpus import known_answers
from exercise_kit.errors import ExerciseError

NAME = "known.json"
_MADE_OF = ("answer.py", "cases.py", "observe.py", "words.md")


def parameters(folder: Path) -> tuple[str, ...]:
    """The names of the answer's parameters, from the file; empty without a file."""
    return tuple(_content(folder).get("parameters", ()))


def read(folder: Path) -> Sequence[Case]:
    """The public cases. Raises ExerciseError if the file is missing or for another contract."""
    file = folder / NAME
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["contract"] != CONTRACT:
            raise ExerciseError(
                f"{file} was made for contract {content['contract']}, and this is contract "
                f"{CONTRACT}. Build it again."
            )
        return [
            Case(
                each["title"],
                each["data"],
                each["right"],
                tuple(Rival(*rival) for rival in each["rivals"]),
            )
            for each in content["cases"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExerciseError(f"{file} cannot be read ({error}). Build it again.") from error


def written(folder: Path, parameters: Sequence[str], cases: Sequence[Case]) -> str:
    """The content of the file for an answer with these parameters, and these cases."""
    head = {"contract": CONTRACT, "made_of": digest(folder), "parameters": parameters}
    rows = ({"title": c.title, "data": c.data, "right": c.right, "rivals": c.rivals} for c in cases)
    listed = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{json.dumps(head)[:-1]}, "cases": [\n{listed}\n]}}\n'


def is_current(folder: Path) -> bool:
    """Whether the file was made from the current files; False if these cannot be read."""
    try:
        return _content(folder).get("made_of") == digest(folder)
    except ExerciseError:
        return False


def digest(folder: Path) -> str:
    """A digest of everything that decides the content of the file."""
    found = hashlib.sha256(str(CONTRACT).encode())
    for name, content in _sources(folder):
        found.update(name.encode() + b"\0" + content + b"\0")
    return found.hexdigest()[:32]


def _content(folder: Path) -> dict[str, Any]:
    try:
        content = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _sources(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the sources. For a wrong answer they do not depend on its file."""
    for name in _MADE_OF:
        if (folder / name).is_file():
            yield name, (folder / name).read_bytes()
    for answer in known_answers(folder, "wrong"):
        yield f"{answer.name}.py", answer.source.encode()
    for file in sorted(folder.parent.glob("*.py")):
        yield file.name, file.read_bytes()
