"""The content map as people read it, and as programs do."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from course_utils.authoring.content_map import Place, content_map, meanings
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest

Row = tuple[str, list[Place]]

_WIDTH = 110


def map_as_table(root: Path, names: Sequence[str]) -> str:
    """A line for each code: what it means, and the lessons and sections that teach it.

    names: codes ("C050", "E02") or lessons ("05", "appendix"); all if there are none. Raises
    CourseError for a name that is neither.
    """
    words = meanings(root)
    table = Table("Code", "What it is", "Where", box=box.SIMPLE, pad_edge=False)
    for code, places in _chosen(root, names):
        where = "\n".join(f"{place.lesson}  {place.section}" for place in places)
        table.add_row(code, words[code], where)
    console = Console(width=_WIDTH, no_color=True, highlight=False, markup=False)
    with console.capture() as captured:
        console.print(table)
    return captured.get().rstrip()


def map_as_json(root: Path, names: Sequence[str]) -> str:
    """The same as JSON, with the slugs of the cells. Raises CourseError as `map_as_table` does."""
    words = meanings(root)
    entries = {
        code: {"meaning": words[code], "places": [asdict(place) for place in places]}
        for code, places in _chosen(root, names)
    }
    return json.dumps(entries, indent=2, ensure_ascii=False)


def _chosen(root: Path, names: Sequence[str]) -> list[Row]:
    places = content_map(root, load_manifest())
    known = set(places) | {place.lesson for found in places.values() for place in found}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise CourseError(
            f"The content map has no {' and no '.join(unknown)}: give codes such as C050 or E02, "
            "or numbers of lessons such as 05."
        )
    return [
        (code, found)
        for code, found in places.items()
        if not names or code in names or any(place.lesson in names for place in found)
    ]
