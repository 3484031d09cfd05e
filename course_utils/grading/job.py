"""What is handed to a judge: a notebook as the steps that a worker takes, and its other files.

It knows nothing of notebooks, so that a judge needs not load what reads them (`steps.py`).
"""

import base64
import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field


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
        return cls(
            content["student"],
            content["assignment"],
            steps,
            content["held"],
            files,
            content["outputs"],
        )
