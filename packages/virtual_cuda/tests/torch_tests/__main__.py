"""``make torch-tests``: torch's own tests on virtual GPUs, each beside its twin on the CPU."""

from __future__ import annotations

import argparse
import os
import re
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from . import expectations, report
from .pairing import Judged, judge, twins_of
from .running import CPU_ENVIRONMENT, GPU_ENVIRONMENT, Order, forget_failures, run
from .sources import CACHE, NoTests, find

_FILES = Path(__file__).with_name("files.toml")


def main() -> int:
    """0 if all that failed was expected to, and all that was expected to fail did."""
    options = _options()
    listed = tomllib.loads(_FILES.read_text("utf-8"))
    patterns: dict[str, str] = listed["files"]
    reasons = expectations.load()
    try:
        folder, source = find()
    except NoTests as error:
        print(error)
        return 2
    wanted = options.files or list(patterns)
    present = [file for file in wanted if (folder / file).is_file()]
    for file in wanted:
        if file not in present:
            print(f"{source} has no {file}.")
    if not present:
        return 2
    versions = f"{re.sub('[^0-9A-Za-z.+]+', '_', source)}-{torch.__version__}"
    results = CACHE / "results" / versions
    for file in present:
        place = _place(results, "cuda", file)
        if options.failed:
            forget_failures(place)
        elif not options.resume:
            place.unlink(missing_ok=True)
    print(f"{source}, run with torch {torch.__version__}; results are kept in {results}.")

    def one_file(file: str) -> list[Judged]:
        pattern = patterns.get(file, "(?i)cuda")
        on_gpu = Order(
            folder,
            file,
            _place(results, "cuda", file),
            GPU_ENVIRONMENT,
            pattern,
            left_out=expectations.left_out(file, reasons),
            alone=file in listed["alone"],
        )
        tests = run(on_gpu, options.limit)
        names = twins_of(tests)
        on_cpu = Order(folder, file, _place(results, "cpu", file), CPU_ENVIRONMENT, names=names)
        judged = judge(file, tests, run(on_cpu, options.limit) if names else {})
        print(f"{file}: {len(judged)} tests", flush=True)
        return judged

    with ThreadPoolExecutor(options.jobs) as pool:
        judged = [one for tests in pool.map(one_file, present) for one in tests]
    comparison = expectations.compare(judged, reasons)
    print(f"\n{report.by_file(judged)}\n\n{report.by_cause(comparison)}")
    if not comparison.agrees:
        print(f"\n{report.disagreements(comparison)}")
    return 0 if comparison.agrees else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog='make torch-tests ARGS="…"', description=__doc__)
    parser.add_argument("files", nargs="*", help="such as test_cuda.py; all of files.toml if none")
    parser.add_argument("--resume", action="store_true", help="go on with the run before")
    parser.add_argument("--failed", action="store_true", help="the same, and failures once more")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at a time")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="for one test")
    return parser.parse_args()


def _place(results: Path, device: str, file: str) -> Path:
    return results / device / f"{file.replace('/', '.')}.jsonl"


if __name__ == "__main__":
    sys.exit(main())
