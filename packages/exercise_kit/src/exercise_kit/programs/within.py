"""Code inside a watched program: it stops the program at a chosen moment, and counts in it.

A killed program cannot clean up. It ends as in a power failure.
"""

from __future__ import annotations

import json
import os
import resource
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from os import getpid, kill  # the program could patch `os`
from pathlib import Path
from signal import SIG_DFL, SIGSTOP, SIGXFSZ, raise_signal
from signal import signal as handle


@contextmanager
def watched(
    after: str | None = None,
    most: int | None = None,
    event: str | None = None,
    times: int = 1,
    signal: int | None = None,
    processor: int | None = None,
    counts: str | None = None,
    facts: str = "",
) -> Iterator[None]:
    """Watch the body, which is a whole program.

    after: the limits below begin when the program has printed this text; None: at once.
    most: maximum file size in bytes; a larger write ends the program.
    event: the audit event at which the program gets a signal, before the event's operation.
    times: which of these events, counted from 1.
    signal: the number of the signal, default SIGKILL; without an event it comes at once. The
        program stops itself with all threads, then its launcher sends the signal, so that no code
        of the program runs in between.
    processor: maximum processor time in seconds.
    counts: a file with `begin()`, which returns a function. This is called at the end and returns
        facts.
    facts: the folder for the facts, with one file for each rank, deleted at once but still open. If
        counting fails and the program did not, the file gets the single fact `fault`.
    """
    program, met, printed = getpid(), count(1), ""
    stream, write = sys.stdout, sys.stdout.write

    def stop() -> None:
        if getpid() != program:  # a child of the program: stop both
            kill(program, SIGSTOP)
        raise_signal(SIGSTOP)

    def hook(name: str, _arguments: object) -> None:
        if name == event and next(met) == times:
            stop()

    def strike() -> None:
        if most is not None:
            handle(SIGXFSZ, SIG_DFL)  # Python ignores it by default
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        if event is not None:
            sys.addaudithook(hook)
        elif signal is not None:
            stop()

    def listening(text: str) -> int:
        nonlocal printed
        printed = (printed + text)[-1000:]
        written = write(text)
        if str(after) in printed and "\n" in text:
            vars(stream).pop("write", None)
            stream.flush()
            strike()
        return written

    if processor is not None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        if hard == resource.RLIM_INFINITY or hard > processor:
            resource.setrlimit(resource.RLIMIT_CPU, (processor, processor + 1))
    counting = runpy.run_path(counts) if counts else {}
    if counting:
        place = Path(facts, os.environ.get("RANK", "0"))
        file = place.open("w", encoding="utf-8")
        place.unlink()
        try:
            end = counting["begin"]()
        except Exception as error:
            with file:
                file.write(_fault(error))
            raise
    if after is None:
        strike()
    else:
        vars(stream)["write"] = listening
    fails = False
    try:
        yield
    except Exception:
        fails = True
        raise
    finally:
        if counting:
            with file:
                try:
                    file.write(json.dumps(end()))
                except Exception as error:
                    if not fails:  # a failure of the program can prevent the counting
                        file.write(_fault(error))


def _fault(error: Exception) -> str:
    """The facts of a rank in which counting failed, which is a fault of ours."""
    return json.dumps({"fault": f"{type(error).__name__}: {error}"})
