"""`make site`: build the site, in site/_build/html."""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from sphinx.cmd.build import main as sphinx
from stage import ROOT, SITE, stage

BUILD = SITE / "_build"
RUNS = (  # files on which outputs depend, in addition to the lessons' own code
    "packages/virtual_cuda/src/**/*",
    "course_utils/**/*",
    "packages/course_workspace/program/running.py",
    "notebooks/lesson_parts/**/*",
    "notebooks/questions/*",
    "notebooks/project/**/*.py",
    "constraints.txt",
)


def main(options: Sequence[str], build: Path = BUILD) -> int:
    """Build the site. options: Sphinx's. With "-j 2" two lessons run at once, and measure other
    times.
    """
    os.environ.pop("COURSE_WORKSPACE", None)  # the lessons run in the copy made here
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
    """The folder of cached outputs for the current `patterns` files; other caches are removed."""
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
