"""Grade every known answer on this computer's own GPUs, and record unexpected outcomes.

`make real-gpu`, for owners of four GPUs. Each answer runs in the sandbox, as in grading a class.
"""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import torch

from course_grading.executor import JudgeProcess
from course_grading.job import GradingSettings
from course_grading.sandbox import gpus
from tests.grading.courses import ASSIGNMENTS, hidden, job, level
from tests.grading.known_class import classmates, expected, met, texts

RECORDINGS = Path(__file__).with_name("recordings")
_ASKED = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]


def main() -> int:
    """The exit status: 0 if the answers were graded, 1 if there are no four GPUs."""
    if (found := len(gpus.cards())) < gpus.NEEDED:
        print(
            f"Nothing was graded on real GPUs: {found} are here, and a lesson takes {gpus.NEEDED}."
        )
        return 1
    cards = subprocess.run(_ASKED, capture_output=True, text=True, check=True).stdout.splitlines()
    others = [line for assignment in ASSIGNMENTS for line in graded_otherwise(assignment)]
    RECORDINGS.mkdir(exist_ok=True)
    file = RECORDINGS / f"{cards[0].replace(', ', ', driver ').replace(' ', '_')}.json"
    recording = {
        "cards": cards,
        "torch": torch.__version__,
        "sandbox": level().name,
        "others": others,
    }
    file.write_text(json.dumps(recording, indent=1) + "\n", encoding="utf-8")
    print(f"{len(others)} met something else than in practice: {file}")
    return 0


def graded_otherwise(assignment: str) -> list[str]:
    """A sentence for each known answer with an unexpected outcome."""
    settings = GradingSettings(hidden(assignment), level()).on_real_gpus()
    found = []
    with contextlib.closing(JudgeProcess(settings)) as judge_process:
        for student, answers in classmates(assignment, None, None):
            graded = judge_process.grade(job(student, assignment, texts(assignment, answers)))
            due, came = expected(assignment, answers), met(graded)
            for verdict in graded.verdicts:
                short = verdict.exercise.partition(".")[2]
                if due[short] != came[short]:
                    name = answers[short].name if short in answers else "the reference"
                    what = f"{verdict.exercise}, {name}: {due[short]} was due"
                    found.append(f"{what}, and it met {came[short]}: {verdict.why or verdict.text}")
    return found


if __name__ == "__main__":
    sys.exit(main())
