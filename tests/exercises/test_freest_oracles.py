"""The oracles of assignment 06 against reality; and handwritten judges in other draws.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import subprocess
import sys
from typing import Any

import pytest
from topic import Topic

from course_utils.checking.exercises import exercise

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("freest", seeds=20)


@pytest.mark.parametrize(
    ("free", "users", "cards"),
    [
        ([20, 19], [(0, 12), (3, 12)], [0, None]),
        ([20, 19], [(0, 12), (10, 12)], [0, 1]),
        ([20, 19], [(10, 12), (0, 12)], [1, 0]),  # the second of the list is the first to look
        ([20, 20], [(0, 5)], [0]),
        ([20], [(0, 20), (20, 1)], [0, None]),  # exactly all, and then nothing
        ([20], [(0, 21), (1, 20)], [None, 0]),  # who runs out holds nothing
        ([20, 19], [(0, 4), (3, 4), (30, 4)], [0, 0, 1]),  # 12 and 19 MiB are left for the third
    ],
)
def test_who_gets_on_examples_worked_by_hand(free: Any, users: Any, cards: Any) -> None:
    assert TOPIC.reference("who_gets")(free, users, 8) == cards


def test_the_run_of_held_by_does_what_subprocess_run_does() -> None:
    """With the same options, the same kind of output, and the same exceptions."""
    fake = exercise("freest.held_by").module("observe")
    fails = {"cards": [], "text": "no", "status": 9, "error": ""}
    answers = {**fails, "status": 0}
    shell = "import sys; print('no'); sys.exit({})"

    def real(status: int, **options: Any) -> Any:
        return subprocess.run([sys.executable, "-c", shell.format(status)], **options)

    def stands_for(machine: dict[str, Any], **options: Any) -> Any:
        return fake.Command(machine).run(["nvidia-smi"], **options)

    for options in (
        {"capture_output": True, "text": True},
        {"stdout": subprocess.PIPE},
        {"capture_output": True, "encoding": "utf-8"},
    ):
        one, other = real(0, **options), stands_for(answers, **options)
        assert (one.stdout, one.stderr, one.returncode) == (
            other.stdout,
            other.stderr,
            other.returncode,
        )
    for call in (lambda **o: real(9, **o), lambda **o: stands_for(fails, **o)):
        with pytest.raises(subprocess.CalledProcessError) as raised:
            call(check=True, capture_output=True, text=True)
        assert (raised.value.returncode, raised.value.stdout) == (9, "no\n")
