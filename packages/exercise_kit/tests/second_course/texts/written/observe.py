"""Observe `written`: what came back, and what is in the file."""

import tempfile
from pathlib import Path

from exercise_kit import Observer
from exercise_kit.facts import describe


class Written(Observer):
    """Facts: `result`, described, and `content`, the text of the file, or None."""

    gpus = 0

    def observe(self, answer, inputs):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "notes.txt")
            if inputs["before"]:
                path.write_text(inputs["before"])
            result = answer(str(path), inputs["lines"])
            content = path.read_text() if path.exists() else None
        return {"result": describe(result), "content": content}
