"""What is handed to a judge: a notebook as the steps that a worker takes, and its other files."""

import ast
import base64
import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution


@dataclass(frozen=True)
class Check:
    """A test cell: `answer` is the name of the function that it checks."""

    exercise: str
    answer: str
    points: float


@dataclass(frozen=True)
class Step:
    """A code cell. solution: its grade_id if it is an answer's, else ""."""

    source: str
    solution: str = ""
    check: Check | None = None


@dataclass(frozen=True)
class Job:
    """A submission, ready to be graded.

    held: why, for each exercise that is not to be judged.
    files: what was handed in beside the notebook, by its path.
    outputs: whether its cells are to be run once more, by themselves, for what they put out.
    """

    student: str
    assignment: str
    steps: tuple[Step, ...]
    held: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    outputs: bool = False

    def to_bytes(self) -> bytes:
        data = dataclasses.asdict(self)
        data["files"] = {k: base64.b64encode(v).decode() for k, v in self.files.items()}
        return json.dumps(data).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Job":
        content = json.loads(data)
        steps = tuple(
            Step(each["source"], each["solution"], each["check"] and Check(**each["check"]))
            for each in content["steps"]
        )
        files = {name: base64.b64decode(text) for name, text in content["files"].items()}
        return cls(content["student"], content["assignment"], steps, content["held"], files,
                   content["outputs"])  # fmt: skip


def steps_of(notebook: NotebookNode) -> tuple[Step, ...]:
    """The code cells of a rebuilt notebook, in order."""
    return tuple(_step(cell) for cell in notebook.cells if cell.cell_type == "code")


def _step(cell: NotebookNode) -> Step:
    solution = cell.metadata.nbgrader.grade_id if is_solution(cell) else ""
    return Step(cell.source, solution, check_of(cell))


def check_of(cell: NotebookNode) -> Check | None:
    """The check of a test cell: `check("tensors.move_batch", move_batch)`. None if it has none."""
    if cell.cell_type != "code" or not is_grade(cell) or is_solution(cell):
        return None
    try:
        (statement,) = ast.parse(cell.source).body
    except (SyntaxError, ValueError):
        return None
    match statement:
        case ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(str(name)), ast.Name(answer)], [])):
            return Check(name, answer, float(cell.metadata.nbgrader.points))
    return None
