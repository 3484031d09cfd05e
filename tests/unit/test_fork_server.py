"""What a fork of the fork server does is what a new process does."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from course_utils.experiments.fork_server import LAUNCHER
from exercise_kit.programs.launcher import read
from tests.kept import only

pytestmark = pytest.mark.slow

ALIKE = {
    "its main module": "print(__name__, sorted(globals())[-3:]); import sys; print(sys.argv)",
    "a function of its own": "def f(): return g()\ndef g(): return 7\nprint(f())",
    "its environment": "import os; print(sorted(os.environ.items()))",
    "its folder": "import os; print(os.getcwd())",
    "its modules": "import sys; print([p for p in sys.path if 'experiments' in p])",
    "its limits": "import resource as r; print(r.getrlimit(r.RLIMIT_NOFILE))",
    "its input": "import sys; print(repr(sys.stdin.read()))",
    "its garbage collection": "import gc; print(gc.isenabled(), gc.get_threshold())",
    "its signals": "import signal; print(signal.getsignal(signal.SIGCHLD))",
    "an exit with a message": "import sys; sys.exit('no more')",
    "what is done at its end": "import atexit; atexit.register(print, 'at the end')",
    "CUDA": "import torch; print(torch.cuda.is_initialized(), torch.cuda.is_available())",
    "virtual GPUs": "import virtual_cuda, torch; virtual_cuda.enable(4, quiet=True)\n"
    "print(torch.ones(2, device='cuda:3') + 1)",
    "both outputs": "import os, sys; os.write(2, b'a'); print('b'); sys.stderr.write('c')",
    "a file that is left open": "import os\n"
    "def f(): file = os.fdopen(os.dup(1), 'w'); file.write('left open'); raise ValueError\n"
    "f()",
    "bytes that are no text": "import os; os.write(1, b'\\xff')",
    "its children": "import subprocess, sys\n"
    "print(subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True, text=True))",
    "spawned processes": "import multiprocessing as m\n"
    "with m.get_context('spawn').Pool(1) as pool: print(pool.map(abs, [-2]))",
    "threads": "import threading; print(threading.current_thread().name, threading.active_count())",
}


def environment(**changes: str) -> dict[str, str]:
    dropped = ("VIRTUAL_CUDA", "PYTHONPATH")
    return {k: v for k, v in os.environ.items() if not k.startswith(dropped)} | changes


def run(program: str, env: dict[str, str]) -> str:
    """What a program prints."""
    with LAUNCHER.start(["-c", program], env, Path.cwd()) as process:
        printed, ended = read(process, 120)
    assert ended, printed
    return printed


@pytest.mark.parametrize("program", only(["CUDA", "virtual GPUs", "threads"], ALIKE))
def test_it_is_like_a_new_process(program, monkeypatch):
    program = ALIKE[program]
    env = environment(SOMETHING="of its own")
    forked = run(program, env)
    monkeypatch.setattr(LAUNCHER, "parent", lambda env: None)
    assert forked == run(program, env)


def test_what_training_takes_is_there_before_a_file_is_run(tmp_path):
    file = tmp_path / "look.py"
    file.write_text("import sys; print('torch._dynamo' in sys.modules)")
    with LAUNCHER.start([str(file)], environment(), tmp_path) as process:
        assert read(process, 120) == ("True\n", True)


def test_random_numbers_differ_from_process_to_process():
    program = (
        "import random, numpy, torch as t; print(random.random(), numpy.random.rand(), t.rand(1))"
    )
    first, second = (run(program, environment()).split() for _ in range(2))
    assert not {*first} & {*second}


def test_what_is_read_early_takes_another_process():
    program = "import sys; print(sys.flags.optimize)"
    levels = [run(program, environment(PYTHONOPTIMIZE=n)) for n in ("", "2", "1")]
    assert levels == ["0\n", "2\n", "1\n"]


def test_many_at_once():
    programs = [f"print({number})" for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        printed = [*pool.map(lambda program: run(program, environment()), programs)]
    assert printed == [f"{number}\n" for number in range(20)]


def test_a_program_without_end_is_killed_with_its_family(tmp_path):
    program = (
        "import os, time; os.fork()\n"
        f"open({str(tmp_path)!r} + f'/{{os.getpid()}}', 'w').close(); time.sleep(86_400)"
    )
    with LAUNCHER.start(["-c", program], environment(), Path.cwd()) as process:
        while len([*tmp_path.iterdir()]) < 2:
            time.sleep(0.05)
        _, ended = read(process, 0)
    assert not ended
    pids = [int(file.name) for file in tmp_path.iterdir()]
    assert len(pids) == 2
    while any(map(runs, pids)):
        time.sleep(0.05)


def runs(pid: int) -> bool:
    """Whether a process is there, and not only waiting to be noticed by its parent."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_parent_that_has_ended_is_replaced():
    first = LAUNCHER.parent(environment())
    for control, process in LAUNCHER._parents.values():
        if control is first:
            process.kill()
            process.wait()
    assert run("print(7)", environment()) == "7\n"
    assert LAUNCHER.parent(environment()) is not first
