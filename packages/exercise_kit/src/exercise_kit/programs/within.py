"""What is done inside a watched program: it is stopped at a certain moment, and counted in.

A program that is killed has no time to tidy up: it ends as if the power had failed.
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
from os import getpid, kill  # whatever the program makes of `os`
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
    """From before the first line of a program until after its last.

    after: a text; what follows begins once the program has printed it. None for at once.
    most: bytes beyond which no file grows then: the write that would is the program's end.
    event: an audit event at which it gets a signal, before what it tells of is done.
    times: at which of them, from 1.
    signal: its number, SIGKILL if not given; without an event it comes at once. The program stops,
        with all its threads, and its launcher sends it: nothing of the program runs in between.
    processor: seconds of processor time after which it is ended.
    counts: a file with `begin()`; what that returns is called in the end, and returns facts.
    facts: a folder with a file for each rank, which gets them, and loses its name at once; or the
        one fact `fault`, where they cannot be had and the program itself did not fail.
    """
    program, met, printed = getpid(), count(1), ""
    stream, write = sys.stdout, sys.stdout.write

    def stop() -> None:
        if getpid() != program:  # but a child of it: all are to end
            kill(program, SIGSTOP)
        raise_signal(SIGSTOP)

    def hook(name: str, _arguments: object) -> None:
        if name == event and next(met) == times:
            stop()

    def strike() -> None:
        if most is not None:
            handle(SIGXFSZ, SIG_DFL)  # which Python ignores
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
                    if not fails:  # by itself, which may be why nothing can be counted
                        file.write(_fault(error))


def _fault(error: Exception) -> str:
    """What cannot be counted is told as a failure of ours, whatever the program did."""
    return json.dumps({"fault": f"{type(error).__name__}: {error}"})
