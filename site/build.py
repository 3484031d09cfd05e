"""`make site`: the course as pages to read, in site/_build/html."""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from sphinx.cmd.build import main as sphinx
from stage import ROOT, SITE, stage

BUILD = SITE / "_build"
RUNS = (  # what the outputs depend on, beside the lessons' own code
    "packages/virtual_cuda/src/**/*",
    "course_utils/**/*",
    "packages/course_workspace/program/running.py",
    "notebooks/lesson_parts/**/*",
    "notebooks/questions/*",
    "notebooks/project/**/*.py",
    "constraints.txt",
)


def main(options: Sequence[str], build: Path = BUILD) -> int:
    """options: of Sphinx. With "-j 2" two lessons run at a time, and what they measure differs."""
    os.environ.pop("COURSE_WORKSPACE", None)  # the lessons run in the copy that is made here
    source, pages = build / "source", build / "html"
    stage(source)
    shutil.rmtree(pages, ignore_errors=True)
    cache = outputs(build / "executed", RUNS)
    settings = ["-D", f"nb_execution_cache_path={cache}", "-d", build / "doctrees", "-c", SITE]
    failed = sphinx([*map(str, ["-b", "html", "-W", *settings, *options, source, pages])])
    if not failed:
        print(f"Open {pages / 'index.html'}")
    return failed


def outputs(folder: Path, patterns: Iterable[str]) -> Path:
    """The cache of outputs that belongs to the files of `patterns`; those of others are removed."""
    state = hashlib.sha256()
    for file in sorted(file for pattern in patterns for file in ROOT.glob(pattern)):
        if file.is_file() and file.suffix != ".pyc":
            state.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    current = folder / state.hexdigest()[:16]
    for other in folder.glob("*"):
        if other != current:
            shutil.rmtree(other)
    return current


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
