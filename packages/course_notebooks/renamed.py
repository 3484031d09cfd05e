"""A notebook of an earlier version of the course, in the names of this version."""

import re
from collections.abc import Mapping

from nbformat import NotebookNode


def use_new_names(notebook: NotebookNode, renamed: Mapping[str, str]) -> None:
    """Replace old names of exercises in a notebook, in the texts and ids of its cells.

    renamed: the new name of an exercise or assignment by its old one (`Course.renamed`).
    """
    short = {old.partition(".")[2]: new.partition(".")[2] for old, new in renamed.items()}
    names = {**renamed, **{old: new for old, new in short.items() if old != new}}
    if not names:
        return
    any_of_them = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w.])({any_of_them})(?=(_task|_check|_try)?\b)")

    def renew(text: str) -> str:
        return pattern.sub(lambda found: names[found[1]], text)

    for cell in notebook.cells:
        cell.source = renew(cell.source)
        marks = cell.metadata.get("nbgrader")
        for place, key in ((cell, "id"), (marks, "grade_id")):
            if isinstance(place, dict) and isinstance(place.get(key), str):
                place[key] = renew(place[key])
