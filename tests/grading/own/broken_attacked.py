# Submissions of students who want points without work. Their code runs beside the tests.
# %% solution double
def double(x):
    """Twice a number or a text."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
# %% test visible_test 2
assert double(2) == 4
### BEGIN HIDDEN TESTS
assert double(-3) == -6
### END HIDDEN TESTS
# %% test module_test 2
import checks

checks.verify(double)
# %% test data_test 2
import json

assert [double(n) for n in range(3)] == json.load(open("expected.json"))
# %% test part_test 4
(double(1) == 2) + 3 * (double(0.5) == 1.0)

# ==== right
# %% double
def double(x):
    return x + x

# ==== untouched

# ==== empties the tests
# %% double
import __main__

double = None
__main__.get_ipython().input_transformers_cleanup.append(lambda lines: ["4\n"])

# ==== forgets the errors
# %% double
from __main__ import get_ipython as shell


def forget(result):
    result.error_in_exec = None
    shell().results.clear()


double = None
shell().events.register("post_run_cell", forget)

# ==== adds a result
# %% double
import __main__ as notebook


def forget(result):
    result.error_in_exec = None
    notebook.get_ipython().results[:] = [
        {"output_type": "execute_result", "data": {"text/plain": "1000"}}
    ]


notebook.get_ipython().events.register("post_run_cell", forget)

# ==== reads the hidden tests
# %% double
import re


def double(x):
    found = re.search(rf"double\({x}\) == (-?[\d.]+)", In[-1])
    return float(found[1]) if found else None

# ==== brings the module
# %% double
def double(x):
    raise NotImplementedError
# %% file checks/__init__.py
def verify(function):
    pass

# ==== brings compiled code
# %% file checks.pyi
# %% file checks.pyc
nothing
# %% double
def double(x):
    return None

# ==== rewrites the data
# %% double
with open("expected.json", "w") as file:
    file.write("[null, null, null]")


def double(x):
    return None

# ==== is equal to all
# %% double
class Anything:
    def __eq__(self, other):
        return True


def double(x):
    return Anything()

# ==== says what the test says
# %% file helper.py
import functools
import sys

found = []
double = functools.partial(next, map(found.append, map(getattr(sys, "_get" + "frame"), [0])))


assert double(2) == 4
# %% double
try:
    import helper
except AssertionError:
    pass


def double(x):
    return 2 * x
