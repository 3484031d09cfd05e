"""Programs that are launched, stopped at a certain moment, and looked at from outside."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from exercise_kit.contract import NotFit
from exercise_kit.corpus import load_answer
from exercise_kit.definitions import cell_of
from exercise_kit.programs.launcher import Launcher, LaunchFault
from exercise_kit.programs.observer import ProgramObserver

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks of a parent, on Linux alone")

COUNTS = """
def begin():
    begun = [1]
    return lambda: {"begun": len(begun)}
"""


@pytest.fixture(scope="module")
def launcher() -> Launcher:
    return Launcher(Path(__file__).with_name("plain_forks.py"))


class Sums(ProgramObserver):
    """A program that prints, and what it left in the file `out`."""

    def files(self, cell):
        return {"main.py": f"{cell}\n\nmain()\n"}

    def environment(self, devices):
        return {**os.environ, "DEVICES": str(devices)}

    def look(self, folder, runs, data):
        out = folder / "out"
        left = len(out.read_bytes()) if out.exists() else None
        return {
            "ends": [run.end for run in runs],
            "said": [run.last for run in runs],
            "errors": [run.error for run in runs],
            "counts": [run.counts for run in runs],
            "out": left,
        }


@pytest.fixture
def seen(launcher, tmp_path):
    """Facts of a program, the body of its function `main`."""

    def seen(body, *runs, **settings):
        observer = Sums(launcher, "main.py")
        for name, value in settings.items():
            setattr(observer, name, value)
        source = "def main():\n" + "".join(f"    {line}\n" for line in body.splitlines())
        file = tmp_path / f"cell{len([*tmp_path.iterdir()])}.py"  # a text is read once
        file.write_text(source)
        namespace: dict = {}
        exec(compile(source, str(file), "exec"), namespace)
        return observer.observe(namespace["main"], {"runs": [{"words": [], **run} for run in runs]})

    return seen


def test_it_ends_as_a_command_does(seen):
    facts = seen("import sys; print(sys.argv[1:]); sys.exit('no more')", {"words": ["--a", "b"]})
    assert facts["ends"] == [1] and facts["said"] == ["no more"] and facts["errors"] == [None]
    facts = seen("print(1 / 0)", {})
    assert facts["ends"] == [1] and facts["errors"] == [
        "ZeroDivisionError: division by zero (in main)"
    ]
    assert seen("pass", {}, {})["ends"] == [0, 0]


def test_it_finds_as_many_devices_as_the_case_says(seen):
    body = "import os; print(os.environ['DEVICES'])"
    assert seen(body, {}, {"devices": 4})["said"] == ["0", "4"]


SAVING = "open('out', 'wb').write(bytes(10))\nprint('epoch 1: saved')\n"
OVER_IT = "file = open('out', 'wb', buffering=0)\nfor _ in range(9): file.write(bytes(1000))"


@pytest.mark.parametrize(
    ("then", "stop", "end", "left"),
    [
        (OVER_IT, {"most": 2500}, "killed", 2500),
        (OVER_IT, {"signal": int(signal.SIGKILL)}, "killed", 10),
        ("import os; os.rename('out', 'old')", {"event": "os.rename"}, "killed", 10),
        ("import os; os.rename('out', 'old')", {"event": "os.rename", "times": 2}, 0, None),
        (
            "import os; os.rename('out', 'old'); os.rename('old', 'out')",
            {"event": "os.rename", "times": 2},
            "killed",
            None,
        ),
        (OVER_IT, {"most": 9000}, 0, 9000),
    ],
)
def test_it_is_killed_at_a_moment_of_our_choice(then, stop, end, left, seen):
    facts = seen(SAVING + then, {"stop": {"after": "epoch 1:", **stop}})
    assert facts["ends"] == [end] and facts["out"] == left


def test_what_comes_before_the_moment_goes_on(seen):
    facts = seen(SAVING + OVER_IT, {"stop": {"after": "epoch 2:", "most": 1}})
    assert facts["ends"] == [0] and facts["out"] == 9000


def test_one_without_an_end_runs_out_of_processor_time(seen):
    assert seen("while True: pass", {}, processor=1)["ends"] == ["out of processor time"]


def test_one_that_waits_is_not_waited_for(seen):
    assert seen("input_ = __import__('time').sleep(9999)", {}, patience=1.0)["ends"] == [
        "still waiting after 1 s"
    ]


def test_what_it_leaves_running_is_ended(seen, tmp_path):
    file = tmp_path / "pid"
    body = (
        "import os, time\n"
        "if not os.fork():\n"
        "    os.setsid()\n"
        f"    open({str(file)!r}, 'w').write(str(os.getpid()))\n"
        "    os.close(1); os.close(2)\n"
        "    time.sleep(9999)\n"
        f"while not os.path.exists({str(file)!r}) or not open({str(file)!r}).read(): pass"
    )
    assert seen(body, {})["ends"] == [0]
    with pytest.raises(ProcessLookupError):
        os.kill(int(file.read_text()), 0)


def test_megabytes_are_read_and_not_kept(seen):
    facts = seen("for _ in range(300): print('x' * 100_000)", {})
    assert facts["ends"] == [0]
    assert len(facts["said"][0]) < 1000


def test_what_is_counted_inside_comes_out(seen, tmp_path):
    counts = tmp_path / "counts.py"
    counts.write_text(COUNTS)
    assert seen("pass", {}, counts=counts)["counts"] == [[{"begun": 1}]]
    killed = {"stop": {"signal": int(signal.SIGKILL)}}
    assert seen("pass", killed, counts=counts)["counts"] == [[]]


FAILS = "raise OSError('a disk of ours')"


FAILS_AT_THE_END = f"def begin(): return end\ndef end(): {FAILS}"


@pytest.mark.parametrize("counts", [f"def begin(): {FAILS}", FAILS_AT_THE_END])
def test_what_fails_in_counting_is_no_doing_of_the_program(seen, counts, tmp_path):
    file = tmp_path / "counts.py"
    file.write_text(counts)
    with pytest.raises(LaunchFault, match="OSError: a disk of ours"):
        seen("print('fine')", {}, counts=file)


def test_a_program_that_fails_by_itself_may_leave_nothing_to_count(seen, tmp_path):
    counts = tmp_path / "counts.py"
    counts.write_text(FAILS_AT_THE_END)
    facts = seen("1 / 0", {}, counts=counts)
    assert facts["errors"] == ["ZeroDivisionError: division by zero (in main)"]
    assert facts["counts"] == [[]]


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (f"def ready(): {FAILS}", "OSError: a disk of ours"),
        (f"def settle(): {FAILS}", "OSError: a disk of ours"),
        ("def settle(): import sys; sys.exit('no room')", "SystemExit: no room"),
        ("def settle(): import os; os.abort()", "ended before its first line .-6"),
        (  # a sentence for the program's reader, in place of what was met
            f"def settle():\n  try: {FAILS}\n  except OSError: raise SystemExit(2) from None",
            "OSError: a disk of ours",
        ),
    ],
)
def test_what_fails_around_a_program_is_no_doing_of_it(fails, told, tmp_path):
    setup = tmp_path / "setup.py"
    setup.write_text(f"def ready(): pass\ndef settle(): pass\n{fails}\n")
    observer = Sums(Launcher(setup), "main.py")
    program = load_answer("def main():\n    pass\n", "main", "<a program>")
    for _ in range(2):  # and so it is with the next one
        with pytest.raises(LaunchFault, match=told):
            observer.observe(program, {"runs": [{"words": []}]})


def test_a_parent_that_is_gone_is_said_to_be(tmp_path):
    setup = tmp_path / "setup.py"
    setup.write_text("def ready(): import os; os._exit(3)")
    with pytest.raises(LaunchFault, match="the parent process of the programs has ended"):
        Launcher(setup).start([str(tmp_path / "main.py")], os.environ, tmp_path)


def test_a_class_can_be_the_answer():
    cell = "class TwoWords:\n    def __init__(self, count):\n        self.count = count\n"
    answer = load_answer(cell, "two_words", "<a class>")
    assert answer(2).count == 2
    assert cell_of(answer) == cell and cell_of(answer(2)) == ""
    assert "lambda" in cell_of(lambda: None)  # the file in which it stands


@pytest.mark.parametrize("answer", [max, 7, int, "a text"])
def test_a_function_without_a_text_is_none_to_be_judged(answer, launcher):
    with pytest.raises(NotFit, match=f"an object of type {type(answer).__name__}"):
        Sums(launcher, "main.py").observe(answer, {"runs": []})


@pytest.fixture(params=["forked", "new"])
def in_both_ways(launcher, monkeypatch, request):
    """Programs that are forks of a parent, and such as are where a system has none."""
    if request.param == "new":
        monkeypatch.setattr(launcher, "parent", lambda env: None)


RENAMING = "import os; os.rename('out', 'old')"
IN_A_THREAD = (
    "import os, threading\n"
    "thread = threading.Thread(target=os.rename, args=('out', 'old'))\n"
    "thread.start(); thread.join()"
)
IN_A_CHILD = "import os\nif not os.fork(): os.rename('out', 'old')\nelse: os.wait()"


@pytest.mark.parametrize("then", [RENAMING, IN_A_THREAD, IN_A_CHILD])
@pytest.mark.usefixtures("in_both_ways")
def test_nothing_of_it_runs_on_when_it_is_killed(seen, then):
    runs_on = "\nopen('out', 'wb')"
    facts = seen(SAVING + then + runs_on, {"stop": {"after": "epoch 1:", "event": "os.rename"}})
    assert facts["ends"] == ["killed"] and facts["out"] == 10


@pytest.mark.usefixtures("in_both_ways")
def test_its_signal_comes_from_its_parent(seen):
    body = (
        "import os, signal\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])\n"
        "os.rename('out', 'old')\n"
        "sender = signal.sigwaitinfo([signal.SIGTERM]).si_pid\n"
        "print('its parent' if sender == os.getppid() else sender)"
    )
    stop = {"after": "epoch 1:", "event": "os.rename", "signal": int(signal.SIGTERM)}
    facts = seen(SAVING + body, {"stop": stop})
    assert facts["ends"] == [0] and facts["said"] == ["its parent"] and facts["out"] is None


@pytest.mark.usefixtures("in_both_ways")
def test_a_file_that_may_not_grow_is_the_end(seen):
    facts = seen(SAVING + OVER_IT, {"stop": {"after": "epoch 1:", "most": 2500}})
    assert facts["ends"] == ["killed"] and facts["out"] == 2500


BE_PARENT = """
import json, os, sys
from pathlib import Path
from exercise_kit.programs.launcher import Launcher, read

setup, folder, watch = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
talking = os.pipe()
launcher = Launcher(setup)
launcher.be_parent()
with launcher.start([str(folder / "main.py")], os.environ, folder, watch=watch) as process:
    said, _ = read(process, 60)
print(said.strip(), process.returncode)
"""


def run_by_a_parent(launcher, folder, watch=None, start=None) -> str:
    """What main.py in `folder` prints, and its code, as a new process's own fork.

    As in the grading sandbox, the process has only the open files that the test prints. start:
        a function that it calls first.
    """
    words = [sys.executable, "-c", BE_PARENT, str(launcher.setup), str(folder), json.dumps(watch)]
    told = subprocess.run(words, capture_output=True, text=True, timeout=120, preexec_fn=start)
    assert told.returncode == 0, told.stderr
    return told.stdout


def test_this_process_can_be_the_parent(launcher, tmp_path):
    look = "import os, sys; print(sorted(map(int, os.listdir('/proc/self/fd')))); sys.exit(7)"
    (tmp_path / "main.py").write_text(look)
    # Its own three and that of the folder: nothing through which this process talks.
    assert run_by_a_parent(launcher, tmp_path) == "[0, 1, 2, 3] 7\n"


def test_a_program_may_have_less_processor_time_than_it_asks_for(launcher, tmp_path):
    import resource

    (tmp_path / "main.py").write_text("print('it runs')")
    told = run_by_a_parent(
        launcher,
        tmp_path,
        watch={"processor": 10},
        start=lambda: resource.setrlimit(resource.RLIMIT_CPU, (5, 5)),
    )
    assert told == "it runs 0\n"
