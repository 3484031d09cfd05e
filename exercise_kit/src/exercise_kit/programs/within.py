"""What is done inside a watched program: it is stopped at a certain moment, and counted in.

A program that is stopped has no time to tidy up: it ends as if the power had failed.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any


def lower(which: int, soft: int, hard: int | None = None) -> None:
    """Set a limit of this process, never to more than there is: that takes a right root may lack.

    hard: as `soft`, if not given.
    """
    most = resource.getrlimit(which)[1]
    hard = soft if hard is None else hard
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(which, (soft, hard))


class Watched:
    """From before the first line of a program until after its last.

    after: a text; what follows begins once the program has printed it. None for at once.
    most: bytes beyond which no file grows then: the write that would is the program's end.
    event: an audit event that ends it, before what it tells of is done; with a beginning of its
        first argument after a space, if others are to be left alone.
    times: at which of them, from 1.
    signal: the number of a signal that is sent to it.
    processor: seconds of processor time after which it is ended.
    counts: a module with `begin()` and `end()`, which returns facts.
    facts: where those are written, as JSON, with the number of the rank at the end of the name.
    """

    def __init__(
        self,
        after: str | None = None,
        most: int | None = None,
        event: str | None = None,
        times: int = 1,
        signal: int | None = None,
        processor: int | None = None,
        counts: Any = None,
        facts: str | None = None,
    ) -> None:
        self._most, self._event, self._times, self._signal = most, event, times, signal
        self._counts, self._facts = counts, facts
        if processor is not None:
            lower(resource.RLIMIT_CPU, processor, processor + 1)
        if self._counts is not None:
            self._counts.begin()
        if after is None:
            self._strike()
        else:
            sys.stdout = _Listening(sys.stdout, after, self._strike)

    def end(self) -> None:
        """Write down what was counted."""
        if self._counts is not None and self._facts is not None:
            facts = json.dumps(self._counts.end())
            Path(f"{self._facts}.{os.environ.get('RANK', 0)}").write_text(facts, encoding="utf-8")

    def _strike(self) -> None:
        if self._most is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # which Python ignores
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._most, self._most))
        if self._event is not None:
            sys.addaudithook(_Ending(self._event, self._times))
        if self._signal is not None:
            os.kill(os.getpid(), self._signal)


class _Ending:
    def __init__(self, event: str, times: int) -> None:
        self._event, _, self._of = event.partition(" ")
        self._left = times
        self._kill = os.kill

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == self._event and str(next(iter(arguments), "")).startswith(self._of):
            self._left -= 1
            if not self._left:
                self._kill(os.getpid(), signal.SIGKILL)


class _Listening:
    """A stream of text that is told of what passes."""

    def __init__(self, stream: Any, text: str, call: Any) -> None:
        self._stream, self._text, self._call, self._line = stream, text, call, ""

    def write(self, text: str) -> int:
        written: int = self._stream.write(text)
        self._line = (self._line + text)[-1000:]
        if self._call and self._text in self._line and "\n" in text:
            self._stream.flush()
            call, self._call = self._call, None
            call()
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
