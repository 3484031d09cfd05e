"""`course project --why`: a line of one's own is changed, and what happens is what was run."""

import ast

import pytest

from course_utils.program.holes import after, parts
from course_utils.program.mutants import changed_lines

OWN = after("11")["train.py"]
CELL = '''\
import torch

MOST = 4  # ≤ 4, “at most”


def pick_device(wanted: str = "cpu") -> "torch.device":
    """The docstring stays: 7 < 8 and "cpu"."""
    if wanted == "auto" and not torch.cuda.is_available():
        wanted = "cpu"
    with torch.no_grad():
        torch.zeros(1).cuda(non_blocking=True)
    if len(wanted) < MOST: raise ValueError(f"{wanted == 'é'} 1")
    return torch.device(wanted)


print(pick_device("cpu"))
'''


def changes(cell: str) -> set[tuple[str, str]]:
    return {(change.before, change.after) for change in changed_lines(cell)}


def test_each_change_is_one_line_of_what_is_defined():
    head = "pick_device(wanted: str"
    condition = 'if wanted == "auto" and not torch.cuda.is_available():'
    limit = "if len(wanted) < MOST: raise ValueError(f\"{wanted == 'é'} 1\")"
    assert changes(CELL) == {
        ("MOST = 4  # ≤ 4, “at most”", "MOST = 5  # ≤ 4, “at most”"),
        ('wanted = "cpu"', "wanted = 'cuda'"),
        (f'def {head} = "cpu") -> "torch.device":', f"def {head} = 'cuda') -> \"torch.device\":"),
        ("with torch.no_grad():", "if True:"),
        ("torch.zeros(1).cuda(non_blocking=True)", "pass"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(1)"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(1).cuda()"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(1).cuda(non_blocking=False)"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(2).cuda(non_blocking=True)"),
        (condition, "if wanted != 'auto' and not torch.cuda.is_available():"),
        (condition, "if (wanted == 'auto' or not torch.cuda.is_available()):"),
        (condition, 'if not (wanted == "auto" and not torch.cuda.is_available()):'),
        (limit, limit.replace("<", "<=")),
        (limit, limit.replace("len(wanted) < MOST", "MOST < len(wanted)")),
    }


@pytest.mark.parametrize("name", ["pick_device", "batches_ahead", "save", "resume"])
def test_a_change_leaves_all_else_as_it_was_written(name):
    cell = parts(OWN)[name] + "\n"
    found = changed_lines(cell)
    assert len(found) >= 4
    for change in found:
        assert ast.dump(ast.parse(change.cell)) != ast.dump(ast.parse(cell))
        unlike = [
            (old, new)
            for old, new in zip(cell.splitlines(), change.cell.splitlines(), strict=True)
            if old != new
        ]
        assert [(old.strip(), new.strip()) for old, new in unlike] == [
            (change.before, change.after)
        ]
    assert len({change.cell for change in found}) == len(found)


def test_what_lessons_warn_of_comes_first():
    lines = [change.before for change in changed_lines(parts(OWN)["batches_ahead"])[:4]]
    assert any("wait_stream" in line for line in lines)
    assert any("record_stream" in line for line in lines)
