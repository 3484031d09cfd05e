# Source: partial credit by a number: nbgrader's guide, and its issues 974, 1090, 1339, 1353, 1374 and
# 1399: zero, a list, NaN, a negative number, numpy's number, too much, a question for 0 points.
# %% solution code
def add(a, b):
    ### BEGIN SOLUTION
    return a + b
    ### END SOLUTION
# %% test some_of_five 5
score = 0
for a, b in [(1, 2), (0, 0), (-1, 1), (0.5, 0.5), ("a", "b")]:
    try:
        score += add(a, b) == a + b
    except Exception as problem:
        print(f"add({a!r}, {b!r}): {type(problem).__name__}")
score
# %% test zero_points 0
assert add(2, 2) == 4
# %% test a_half 1
0.5 if add(1, 1) == 2 else 0.0
# %% test a_list 2
[add(1, 1) == 2, add(2, 2) == 4]
# %% test a_truth 3
add(20, 22) == 42
# %% test not_a_number 2
float("nan") if add(1, 1) == 2 else 0.25
# %% test negative 2
-1 if add(1, 1) == 2 else 1
# %% test of_numpy 4
import numpy as np

np.mean([add(1, 1) == 2, add(2, 3) == 5]) * 4
# %% test in_words 2
"1.5" if add(1, 1) == 2 else "0"
# %% test silenced 2
0.5;
# %% test kept 2
result = 0.5
# %% test shown 2
from IPython.display import display

display(0.5)
add(1, 1) / 4
# %% test in_scientific_notation 2
class Points(float):
    def __repr__(self):
        return f"{float(self):.1e}"
Points(add(0.5, 0.75))
# %% test as_int 3
int(add(1, 0)) + int(add(1, 0))

# ==== right
# %% code
def add(a, b):
    return a + b

# ==== half right
# %% code
def add(a, b):
    return float(a) + abs(b)

# ==== wrong
# %% code
def add(a, b):
    return a * b

# ==== untouched

# ==== earns more than there is
# %% code
class Much(int):
    def __repr__(self):
        return "99"
    __eq__ = lambda self, other: self
    __hash__ = int.__hash__
    def __radd__(self, other):
        return self
def add(a, b):
    return Much(1)

# ==== returns numpy
# %% code
import numpy as np
def add(a, b):
    return np.add(a, b)
