"""Observe `run_jobs`: what came back, and what each job saw. The jobs wait for each other."""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import (
    LEAVE_A_NOTE,
    VARIABLE,
    environment,
    lost,
    notes,
    python,
    quiet_stderr,
    refusal,
    starts,
)

ALONE, STUCK = 5, 12  # seconds that a job waits for the others, and that it lives at most

PROGRAM = f"""{LEAVE_A_NOTE}
import signal, time
jobs, last, lines, aside = int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
signal.alarm({STUCK})  # nobody reads its output
value = repr(os.environ.get("{VARIABLE}"))

def wait_for(kind, count):
    begin = time.monotonic()
    while sum(name.startswith(kind) for name in os.listdir(folder)) < count:
        if time.monotonic() - begin > {ALONE}:
            open(f"{{folder}}/alone-{{os.getpid()}}", "w").close()
            return
        time.sleep(0.02)

wait_for("child", jobs)
if value == last:
    wait_for("done", jobs - 1)
    time.sleep(0.3)  # the others have printed, and still have to end
if aside:
    print(aside, file=sys.stderr, flush=True)
print(f"{VARIABLE}={{value}}" + lines * f"\\nstep with {{value}}", flush=True)
open(f"{{folder}}/done-{{os.getpid()}}", "w").close()
"""
"""Prints its value in `lines` + 1 lines, once all `jobs` have begun; `last` is the last to end.

`aside` goes to stderr.
"""


class RunJobs(Observer):
    """Facts: `result` or `refused`; `begun`, the number of jobs; in `visible` the values of those
    that got so far; `alone`, how many waited for the others in vain; `lost`, the variables that a
    job has not; `touched` and `changed`: the parent's variable, and the arguments.
    """

    parameters = ("command", "jobs")
    needs_devices = False

    def prepare(self, data: Mapping[str, Any]) -> dict[str, Any]:
        form = numpy.array if data["numpy"] else list
        jobs = [gpus if gpus is None else list(form(gpus)) for gpus in data["jobs"]]
        return {**data, "jobs": jobs}

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        jobs = inputs["jobs"]
        here = {VARIABLE: inputs["parent"], inputs["marker"]: "kept"}
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            command = python(
                PROGRAM, folder, len(jobs), inputs["last"], inputs["lines"], inputs["aside"]
            )
            given, before = list(command), [gpus and list(gpus) for gpus in jobs]
            with environment(here) as (inherited, touched), starts() as begun, quiet_stderr():
                result, refused = refusal(lambda: answer(given, jobs), ValueError)
            children = notes(Path(folder))
            alone = len(list(Path(folder).glob("alone-*")))
        return {
            "result": describe(result),
            "refused": refused is not None,
            "begun": max(len(begun), len(children)),
            "visible": [child.get(VARIABLE) for child in children],
            "alone": alone,
            "lost": sorted({name for child in children for name in lost(child, inherited)}),
            "touched": VARIABLE in touched,
            "changed": given != command or jobs != before,
        }


observer = RunJobs()
