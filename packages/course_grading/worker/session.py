"""The process of one submission: it runs cells in an IPython shell, and cases on answers."""

import functools
import gc
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from IPython.utils.capture import capture_output

from course_grading.protocol import WorkerEnd
from course_grading.worker.audit import THREAD_LEFT, audit
from course_grading.worker.shell import Shell
from course_grading.worker.tripwires import Tripwires
from course_utils.checking.exercises import exercise
from exercise_kit.contract import Case, Facts, Observer, Raise
from exercise_kit.definitions import definitions as defined_in
from exercise_kit.facts import name_of, raised_text
from exercise_kit.limits import time_limit
from exercise_kit.outcomes import TimedOut
from exercise_kit.runner import Runner, Seen, Unfit
from exercise_kit.text import clip

_MISSING = object()
_threads, _audit = sys._current_frames, sys.audit  # a submission could replace them
_IN_A_NOTEBOOK = "module://matplotlib_inline.backend_inline"  # where Jupyter draws figures
_MOST_SHOWN = 100_000  # characters of an output


class Session:
    """Handles the requests of the judge until the pipe closes."""

    def __init__(self, shell: Shell, tripwires: Tripwires) -> None:
        self._shell, self._tripwires = shell, tripwires
        self._runner: Runner | None = None
        self._verbs: dict[str, Callable[..., dict[str, Any]]] = {
            "run": self._run,
            "show": self._show,
            "take": self._take,
            "case": self._case,
            "look": self._look,
            **dict.fromkeys(("fork", "end"), dict),  # a fork handles all requests in between
        }

    def tell(self, way_out: int) -> None:
        """Report suspicious actions of the submission to `way_out` from now on."""
        audit(way_out, self._tripwires.functions)

    def serve(self, pipe: WorkerEnd) -> None:
        """Answer requests until the judge closes the pipe."""
        sys.modules["__main__"] = self._shell.user_module  # the submission's processes import it
        while True:
            try:
                request = pipe.next()
                if request["do"] == "fork" and not _forked():
                    continue
            except EOFError:
                return
            do = request.pop("do")
            try:
                reply = self._verbs[do](**request)
            except Exception as fault:  # a fault of an observer, so of the grader
                reply = {"fault": raised_text(fault)}
            pipe.reply(**reply)
            if do == "end":
                return

    def _run(
        self, source: str, definitions: bool, seconds: float, patience: float
    ) -> dict[str, Any]:
        """Run a cell, or only its imports and definitions.

        system: whether it ended with an error of the system, as for a missing file.
        """
        if definitions:
            source = "\n".join(defined_in(self._shell.transform_cell(source)))
        self._shell.results.clear()
        with time_limit(seconds, patience):
            result = self._shell.run_cell(source, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        module = getattr(error, "name", None) if type(error) is ModuleNotFoundError else None
        return {
            "error": "" if error is None else name_of(type(error)),
            "module": module if type(module) is str else None,
            "system": isinstance(error, OSError),
        }

    def _show(self, source: str, seconds: float, patience: float) -> dict[str, Any]:
        """Run a cell for its outputs, in the form in which a notebook saves them."""
        os.environ["MPLBACKEND"] = _IN_A_NOTEBOOK
        with capture_output() as captured:
            reply = self._run(source, False, seconds, patience)
        shown: list[dict[str, Any]] = [
            {"output_type": "stream", "name": name, "text": clip(text, _MOST_SHOWN)}
            for name, text in (("stdout", captured.stdout), ("stderr", captured.stderr))
            if text
        ]
        for output in captured.outputs:
            rich = {"output_type": "display_data", "data": dict(output.data), "metadata": {}}
            if _size(rich) < _MOST_SHOWN and sum(map(_size, shown)) < 5 * _MOST_SHOWN:
                shown.append(rich)
        results = self._shell.results
        if reply["error"] and not any("ename" in result for result in results):
            # A time limit can interrupt the traceback too.
            error = {"ename": reply["error"], "evalue": "", "traceback": []}
            results.append({"output_type": "error", **error})
        return {**reply, "outputs": [*shown, *map(_clipped, results)]}

    def _take(self, name: str, answer: str) -> dict[str, Any]:
        """Use the function called `answer` for the exercise `name`, if there is one.

        Replies with the limit for a case, in seconds of processor time.
        """
        found, known = self._shell.user_ns.get(answer, _MISSING), exercise(name)
        observer = Forgetful(known.observer)
        self._runner = None if found is _MISSING else Runner(observer, found, known.world)
        seconds = {"seconds": known.observer.seconds} if self._runner else {}
        return {**seconds, "tripped": self._tripwires.tripped()}

    def _case(self, data: dict[str, Any], patience: float, anew: bool) -> dict[str, Any]:
        """Run a case on the answer or, if `anew`, on a copy of it that was never called."""
        if self._runner is None:
            raise RuntimeError("A case arrived before an answer was loaded.")
        if self._tripwires.tripped():
            return {"tripped": True}
        tell_of_threads()
        put = self._runner.anew if anew else self._runner
        seen = put(Case("", data), patience)
        if not isinstance(seen, dict):
            gc.collect()  # a DataLoader in a traceback ends its workers now, so no flag for them
        return _as_json(seen)

    def _look(self) -> dict[str, Any]:
        """Whether the observing code was changed, checked after the cases of an answer."""
        return {"tripped": self._tripwires.tripped()}


class Forgetful(Observer):
    """An observer that works as `observer`, but keeps no data of a case in its stack frames.

    A submission could read them there instead of its inputs. It also reports threads that an
    answer leaves running.
    """

    def __init__(self, observer: Observer) -> None:
        self._observer, self._plain = observer, type(observer)  # ignores attributes of the object
        self.parameters, self.seconds = observer.parameters, observer.seconds
        self.gpus = observer.gpus

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The inputs of a case; clears its data."""
        inputs = self._plain.prepare(self._observer, dict(data))
        assert isinstance(data, dict)
        data.clear()  # the only dictionary with the data from the pipe
        return inputs

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of a call. Threads are reported before its result is described."""

        @functools.wraps(answer, assigned=(), updated=())
        def told_of(*args: Any, **kwargs: Any) -> Any:
            try:
                return answer(*args, **kwargs)
            finally:
                tell_of_threads()

        return self._plain.observe(self._observer, told_of, inputs)


def _forked() -> bool:
    """Fork this process. Returns True in the fork, and False here when the fork has ended.

    Raises EOFError here if the fork was killed or left files: the next one would find them.
    """
    places = (".", os.environ["TMPDIR"], os.environ["HOME"], "/dev/shm")
    before = [*map(os.listdir, places)]
    if (pid := os.fork()) and (os.waitpid(pid, 0)[1] or [*map(os.listdir, places)] != before):
        raise EOFError
    return not pid


def tell_of_threads() -> None:
    """Report all other threads; called before an answer and before its result is described."""
    for thread, frame in _threads().items():
        if thread != threading.get_ident():
            _audit(THREAD_LEFT, frame)


def _size(output: dict[str, Any]) -> float:
    """The characters of an output as JSON; infinite if it cannot be saved."""
    try:
        return len(json.dumps(output))
    except (TypeError, ValueError, RecursionError):
        return float("inf")


def _clipped(result: dict[str, Any]) -> dict[str, Any]:
    """A result or an error of a cell; of a large one only its clipped text, which gives points."""
    if _size(result) < _MOST_SHOWN:
        return result
    if "data" in result:
        text = clip(str(result["data"].get("text/plain", "")), _MOST_SHOWN)
        return {**result, "data": {"text/plain": text}}
    return {**result, "evalue": clip(result["evalue"], _MOST_SHOWN), "traceback": []}


def _as_json(seen: Seen | None) -> dict[str, Any]:
    match seen:
        case None:
            return {"no_copy": True}
        case Raise(kind, text, where):
            return {"raise": [kind, text, where]}
        case TimedOut(seconds, waiting):
            return {"timed_out": [seconds, waiting]}
        case Unfit(finding):
            return {"unfit": [finding.name, finding.seen, finding.expected]}
    return {"facts": seen}
