# Source: nbgrader's guide, "Autograding resources": an anagram, mocks for print and min, a global
# variable used instead of an argument, `%reset -f` between questions.
# %% solution anagram
def is_anagram(a, b):
    """Whether two texts are anagrams; case, spaces and punctuation do not count."""
    ### BEGIN SOLUTION
    def letters(text):
        return sorted(c for c in text.lower() if c.isalpha())
    return letters(a) == letters(b)
    ### END SOLUTION
# %% test anagram_test 3
from unittest import TestCase

check = TestCase().assertEqual
check(is_anagram("pat", "tap"), True)
check(is_anagram("a", "b"), False)
### BEGIN HIDDEN TESTS
check(is_anagram("He llo", "?hello"), True)
check(is_anagram("aab", "abb"), False)
### END HIDDEN TESTS
# %% solution greet
def greet(name):
    """Print Hello, NAME!"""
    ### BEGIN SOLUTION
    print(f"Hello, {name}!")
    ### END SOLUTION
# %% test greet_test 2
from unittest.mock import patch

with patch("__main__.print") as printed:
    greet("Ada")
printed.assert_called_once_with("Hello, Ada!")
# %% solution mymin
def mymin(x, y):
    """The smaller of two numbers, without min."""
    ### BEGIN SOLUTION
    return x if x < y else y
    ### END SOLUTION
# %% test mymin_test 2
with patch("__main__.min") as built_in:
    mymin(1, 2)
built_in.assert_not_called()
assert mymin(3, 2) == 2
# %% plain example
numbers = [1, 2, 3]
# %% solution twice
def twice(x):
    """Twice each number of a list."""
    ### BEGIN SOLUTION
    return [2 * each for each in x]
    ### END SOLUTION
# %% test twice_test 1
assert twice(numbers) == [2, 4, 6]
# %% test twice_other_name 2
%reset -f
others = [3, 2]
try:
    assert twice(others) == [6, 4]
except NameError:
    twice = None
assert twice is None
# %% plain again
from contextlib import redirect_stdout
from io import StringIO
# %% solution table
def table(n):
    """Print n's multiples up to 3 n, one in a line."""
    ### BEGIN SOLUTION
    for i in (1, 2, 3):
        print(i * n)
    ### END SOLUTION
# %% test table_test 2
out = StringIO()
with redirect_stdout(out):
    table(7)
assert out.getvalue().split() == ["7", "14", "21"], out.getvalue()

# ==== right
# %% anagram
def is_anagram(a, b):
    one, two = ([c for c in t.lower() if c.isalpha()] for t in (a, b))
    return sorted(one) == sorted(two)
# %% greet
def greet(name):
    print("Hello, " + name + "!")
# %% mymin
def mymin(x, y):
    if x < y:
        return x
    return y
# %% twice
def twice(x):
    return [a + a for a in x]
# %% table
def table(n):
    print(n, 2 * n, 3 * n, sep="\n")

# ==== typical mistakes
# %% anagram
def is_anagram(a, b):
    return set(a.lower()) == set(b.lower())
# %% greet
def greet(name):
    print("Hello,", name, "!")
# %% mymin
def mymin(x, y):
    return min(x, y)
# %% twice
def twice(x):
    return [2 * n for n in numbers]
# %% table
def table(n):
    return [n, 2 * n, 3 * n]

# ==== untouched

# ==== prints while it works
# %% anagram
def is_anagram(a, b):
    print("comparing", a, b)
    return sorted(filter(str.isalpha, a.lower())) == sorted(filter(str.isalpha, b.lower()))
is_anagram("a", "b")
# %% greet
import sys
def greet(name):
    sys.stdout.write(f"Hello, {name}!\n")
# %% table
def table(n):
    for i in range(1, 4):
        print(f"{i * n}", flush=True)
