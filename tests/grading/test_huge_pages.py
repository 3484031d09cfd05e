"""Memory moved into huge pages holds what it held, and a fork of it has its own."""

import subprocess
import sys

import pytest

PROGRAM = """
import os
from course_grading.worker.huge_pages import use_huge_pages

held = bytearray(os.urandom(64 << 20))
before = bytes(held)
use_huge_pages()
assert held == before
read, write = os.pipe()
if not os.fork():
    held[:4096] = bytes(4096)
    os.write(write, b"changed" if held != before else b"the same")
    os._exit(0)
os.wait()
assert os.read(read, 99) == b"changed" and held == before
"""


@pytest.mark.slow
def test_what_it_held_it_holds():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
