"""Bars for long cells: announced at once, on stdout, one line left."""

import re
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

import lesson_parts.waiting as bars
from lesson_parts.lesson02 import training
from lesson_parts.waiting import steps, waiting


def last_frame(text: str) -> str:
    """What a screen shows of `text`, where a carriage return goes back to the start of a line."""
    shown = []
    for line in text.split("\n"):
        row = ""
        for part in line.split("\r"):
            row = part + row[len(part) :]
        shown.append(row.rstrip())
    return "\n".join(shown)


def test_a_wait_is_announced_before_the_work_and_leaves_one_line(capsys):
    with waiting("Starting two processes", seconds=20):
        assert "Starting two processes, about 20 s" in capsys.readouterr().out
    said = capsys.readouterr()
    assert last_frame(said.out) == "Starting two processes: done in 0 s.\n"
    assert said.err == ""


def test_in_a_notebook_a_bar_is_one_output_that_ends_as_the_line(monkeypatch, capsys):
    texts = []

    def display(data, **options):
        texts.append(data["text/plain"])
        return SimpleNamespace(update=display)

    monkeypatch.setattr(bars, "get_ipython", lambda: SimpleNamespace(kernel=True))
    monkeypatch.setattr(bars.display, "display", display)
    with waiting("Starting", seconds=20):
        assert texts[-1].startswith("Starting, about 20 s:   0%|")
    assert texts[-1] == "Starting: done in 0 s."
    assert capsys.readouterr().out == ""


def test_an_epoch_is_announced_before_it_is_run(monkeypatch, capsys, tmp_path):
    said = []

    def run(words, files):
        said.append(capsys.readouterr().out)
        return Counter({"train_epoch": 40})

    monkeypatch.setattr(training, "_waits", run)
    monkeypatch.setattr(training, "pictures", lambda: tmp_path)
    training.epoch_waits()
    assert "Training for an epoch, about 8 s" in said[0]
    assert re.search(r"train_epoch +40\n", capsys.readouterr().out)


def test_steps_count_what_is_done(capsys):
    seen = []
    for item in steps(["a", "b"], "Measuring two sizes", seconds=3):
        text = last_frame(capsys.readouterr().out)
        assert text.startswith(f"Measuring two sizes, about 3 s: {len(seen)} of 2 |")
        seen.append(item)
    assert seen == ["a", "b"]
    assert last_frame(capsys.readouterr().out) == "Measuring two sizes: done in 0 s.\n"


def test_an_error_passes_and_leaves_no_bar(capsys):
    with pytest.raises(KeyError), waiting("Starting", seconds=5):
        raise KeyError("x")
    assert last_frame(capsys.readouterr().out) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_process_may_fork_while_a_bar_is_drawn():
    """Children write to the same stdout, whose lock the bar may hold in the moment of the fork."""
    script = """
import io, multiprocessing, sys, threading, time
import lesson_parts.waiting as bars

class Locked(io.TextIOBase):  # as the stdout of a notebook's kernel is
    lock = threading.RLock()

    def write(self, text):
        with self.lock:
            time.sleep(1e-3)
            return sys.__stdout__.write(text)

    def flush(self):
        sys.__stdout__.flush()

sys.stdout = Locked()
bars._TICK = 1e-3
with bars.waiting("Forking", 5):
    for _ in range(20):
        child = multiprocessing.get_context("fork").Process(target=print, args=("child",))
        child.start()
        child.join(60)
        if child.is_alive():
            child.kill()
            sys.exit("a child waits for ever")
"""
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=300
    )
    assert (said.returncode, said.stderr) == (0, "")
