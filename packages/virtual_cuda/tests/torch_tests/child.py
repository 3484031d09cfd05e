"""Runs tests of one file of torch's, and writes what came of each as a line of JSON.

A script of its own, since torch's tests may end the process that they run in: its parent
(``running``) starts it again, and what has a line is not run twice. What to run stands on its
standard input, as JSON: the file, where the lines go, either a pattern or the names of tests, and
whether each test needs a process of its own: then it runs one, and says that there are more.
"""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
import unittest
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO


def name_of(test: Any) -> str:
    """``Class.method``, or what unittest calls the set-up of a class."""
    return ".".join(test.id().split(".")[-2:])


class _Log(unittest.TestResult):
    def __init__(self, lines: TextIO) -> None:
        super().__init__()
        self._lines = lines
        self._outcome: tuple[str, str] | None = None

    def write(self, **line: str) -> None:
        self._lines.write(json.dumps(line) + "\n")
        self._lines.flush()

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._outcome = None
        self.write(test=name_of(test), outcome="began")

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        outcome, text = self._outcome or ("passed", "")
        self.write(test=name_of(test), outcome=outcome, text=text)

    def _failed(self, test: Any, text: str) -> None:
        if not isinstance(test, unittest.TestCase):  # the set-up of a class, and so all of it
            self.write(test=name_of(test), outcome="failed", text=text)
        elif self._outcome is None:
            self._outcome = "failed", text

    def addError(self, test: Any, err: Any) -> None:
        self._failed(test, _last_words(err))

    addFailure = addError

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self._failed(test, _last_words(err))

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._failed(test, "torch expects it to fail, and it passed")

    def addSkip(self, test: Any, reason: str) -> None:
        if isinstance(test, unittest.TestCase):
            self._outcome = self._outcome or ("skipped", reason)


def _last_words(err: Any) -> str:
    return "".join(traceback.format_exception_only(*err[:2])).strip()


def _tests(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _tests(item)
        else:
            yield item


# What later versions than torch 2.6 say instead: they derive the classes of each device, where 2.6
# copied methods into them, so that a method with the first of these would call itself.
_RENAMED = {
    b"super(self.__class__, self)": b"super()",
    b"_cuda_endAllocateCurrentStreamToPool": b"_cuda_endAllocateToPool",
}


class _Loader(SourceFileLoader):
    """Reads a file of tests as if it had been written for a later version of torch."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        raise OSError("nothing of it is kept compiled")

    def get_data(self, path: str) -> bytes:
        text = super().get_data(path)
        for before, after in _RENAMED.items():
            text = text.replace(before, after)
        return text


def _load(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path, loader=_Loader(path.stem, str(path)))
    assert spec is not None and spec.loader is not None
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _bring_back(tests: str) -> None:
    """What torch 2.6's tests take from torch's internals, and later versions have no more.

    Only where the file asks for it: to import those starts CUDA.
    """
    for place, name, stand_in in (
        ("common_cuda", "tf32_is_not_fp32", lambda module: lambda: False),
        ("common_mkldnn", "bf32_on_and_off", lambda module: lambda *precision: lambda test: test),
        ("common_nn", "new_module_tests", lambda module: module.get_new_module_tests()),
    ):
        if name in tests:
            module = import_module(f"torch.testing._internal.{place}")
            if not hasattr(module, name):
                setattr(module, name, stand_in(module))


def main() -> None:
    order = json.load(sys.stdin)
    results = Path(order["results"])
    written = results.read_text("utf-8").splitlines() if results.exists() else []
    lines_before = map(json.loads, written)
    # What only began was left by a run that somebody ended.
    done = {line["test"] for line in lines_before if line["outcome"] != "began"}
    path = Path(order["file"])
    sys.path[:0] = [str(path.parent), os.getcwd()]
    sys.argv = [str(path)]  # which torch's tests read
    _bring_back(path.read_text("utf-8"))
    module = _load(path)
    suite, found, left_out = unittest.TestSuite(), set(), []
    for test in _tests(unittest.defaultTestLoader.loadTestsFromModule(module)):
        name = name_of(test)
        found.add(name)
        wanted = name in order["names"] if order["names"] else re.search(order["pattern"], name)
        if not wanted or name in done:
            continue
        if any(fnmatchcase(name, pattern) for pattern in order["left_out"]):
            left_out.append(name)
        else:
            suite.addTest(test)
    with results.open("a", encoding="utf-8") as lines:
        log = _Log(lines)
        for name in order["names"]:
            if name not in found:
                log.write(test=name, outcome="skipped", text="there is no such test")
        for name in left_out:
            log.write(test=name, outcome="not run")
        tests = list(suite)[:1] if order["alone"] else list(suite)
        unittest.TestSuite(tests).run(log)
        log.write(test="", outcome="end" if len(tests) == suite.countTestCases() else "more")
    os._exit(0)  # threads and children that a test left behind would keep it


if __name__ == "__main__":
    main()
