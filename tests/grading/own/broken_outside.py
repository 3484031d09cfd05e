# Broken: tests and answers that want the network, the instructor's files outside the assignment, other
# students' work, or to write where they should not.
# %% plain setup
import os
import socket
from pathlib import Path

limit = int(open("limit.txt").read())
# %% solution answer
def answer():
    ### BEGIN SOLUTION
    return 42
    ### END SOLUTION
# %% test inside 1
assert answer() == limit
# %% test with_the_network 2
import urllib.request

with urllib.request.urlopen("http://example.org/expected.txt", timeout=3) as page:
    assert page.status == 200
# %% test with_an_instructors_file 2
key = Path("../../../source/broken_outside/limit.txt").read_text()
assert answer() == int(key)
# %% test after 1
assert answer() > 0
# %% manual why 1 [markdown]
# YOUR ANSWER HERE

# ==== right
# %% answer
def answer():
    return 42
# %% why [markdown]
# Because of the limit.

# ==== reads the key
# %% answer
def answer():
    for place in ("../../../source/broken_outside/limit.txt", "../../../gradebook.db"):
        Path(place).open("rb").read(1)
    return 42

# ==== asks the network
# %% answer
def answer():
    socket.create_connection(("192.0.2.1", 80), timeout=1)
    return 42

# ==== writes outside
# %% answer
def answer():
    return 42
Path("../../../source/broken_outside/limit_of_a_student.txt").write_text("0")
# %% why [markdown]
# I tried.

# ==== copies a neighbour
# %% answer
import glob
found = glob.glob("../../../submitted/*/broken_outside/*.ipynb")
def answer():
    return 42 if found else 0

# ==== untouched
