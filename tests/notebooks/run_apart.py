"""Run notebooks one after another, each in a fork of one process that has imported torch.

A kernel for each would spend most of its time on imports. Real kernels run one assignment here,
the lessons for the site, and the notebooks of the browser tests.

`python run_apart.py RESULTS NOTEBOOK…` is that process; RESULTS gets a line of JSON for each.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

Bundle = dict[str, str]


@dataclass(frozen=True)
class Ran:
    """The results of a notebook. shown: the output of each code cell's last expression, or {}.

    error: the first exception of a cell; stderr: everything written to stderr.
    """

    shown: list[Bundle]
    error: str
    stderr: str


def run_apart(notebooks: Iterable[Path]) -> dict[Path, Ran]:
    """The results of notebooks, run in their folders, each as in a new kernel."""
    paths = list(notebooks)
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as results:
        command = [sys.executable, __file__, results.name, *map(str, paths)]
        subprocess.run(command, check=True)
        lines = Path(results.name).read_text("utf-8").splitlines()
    return {path: Ran(**json.loads(line)) for path, line in zip(paths, lines, strict=True)}


def main(results: str, notebooks: list[str]) -> None:
    import matplotlib.pyplot  # noqa: F401  # imported by every assignment

    from course_utils import check  # noqa: F401
    from course_utils.checking.world import load_lazy_parts

    load_lazy_parts()
    for path in notebooks:
        pid = os.fork()
        if pid == 0:
            ran = _run(Path(path))
            with open(results, "a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(ran)) + "\n")
            os._exit(0)
        os.waitpid(pid, 0)


def _run(path: Path) -> Ran:
    import nbformat
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    os.chdir(path.parent)
    shown, error = [], ""
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        shell = InteractiveShell.instance()
        sys.modules["__main__"] = (
            shell.user_module
        )  # imported by processes that the notebook starts
        shell.user_module.__spec__ = None
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code":
                continue
            with capture_output(stderr=False):
                result = shell.run_cell(cell.source, store_history=True)
            failure = result.error_before_exec or result.error_in_exec
            error = error or (f"{type(failure).__name__}: {failure}" if failure else "")
            value = result.result
            shown.append({} if value is None else shell.display_formatter.format(value)[0])
        sys.stderr.flush()
        said.seek(0)
        return Ran(shown, error, said.read().decode())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
