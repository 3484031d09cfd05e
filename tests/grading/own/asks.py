# Source: nbgrader's issues 1844 and 1210: input() in an answer; 77: a debugger left in; and what
# beginners write to stop a program: exit(), quit(), sys.exit().
# %% solution digits
def count_digits(n, d):
    ### BEGIN SOLUTION
    return str(abs(n)).count(str(d))
    ### END SOLUTION
# %% test digits_test 2
assert count_digits(112233, 2) == 2
assert count_digits(-5, 5) == 1
# %% solution ask
def ask_age():
    """Ask for an age until it is a number."""
    ### BEGIN SOLUTION
    while True:
        said = input("Your age? ")
        if said.isdigit():
            return int(said)
    ### END SOLUTION
# %% test ask_test 3
import builtins
from unittest.mock import patch

with patch("builtins.input", side_effect=["x", "", "42"]):
    assert ask_age() == 42
# %% test ask_in_main 2
answers = iter(["7"])
def input(prompt=""):
    return next(answers)
assert ask_age() == 7
# %% plain clean
del input
# %% solution stop
def stop_at(limit):
    """The numbers from 0 to limit, as a list."""
    ### BEGIN SOLUTION
    return list(range(limit + 1))
    ### END SOLUTION
# %% test stop_test 2
assert stop_at(2) == [0, 1, 2]
# %% test last 1
assert builtins.len(stop_at(0)) == 1

# ==== right
# %% digits
def count_digits(n, d):
    return sum(c == str(d) for c in str(abs(n)))
# %% ask
def ask_age():
    text = input("Your age? ")
    while not text.isdigit():
        text = input("A number: ")
    return int(text)
# %% stop
def stop_at(limit):
    return [*range(limit + 1)]

# ==== asks at the end of a cell
# %% digits
def count_digits(n, d):
    return str(abs(n)).count(str(d))

a = input("Enter an integer")
print(count_digits(int(a), 2))
# %% ask
def ask_age():
    return int(input())
# %% stop
def stop_at(limit):
    return list(range(limit + 1))
print(stop_at(3))
exit()

# ==== exits
# %% digits
import sys
def count_digits(n, d):
    if n < 0:
        sys.exit("negative")
    return str(n).count(str(d))
# %% stop
numbers = []
def stop_at(limit):
    for i in range(100):
        numbers.append(i)
        if i == limit:
            quit()

# ==== leaves a debugger in
# %% digits
def count_digits(n, d):
    breakpoint()
    return str(abs(n)).count(str(d))
# %% stop
def stop_at(limit):
    result = list(range(limit + 1))
    if limit == 0:
        raise KeyboardInterrupt
    return result

# ==== untouched
