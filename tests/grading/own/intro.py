# Source: introductory Python courses with nbgrader (classes, collections, reading one's own source, doctests),
# as their tests are written: callable, isinstance, inspect, doctest, a built-in name used for a variable.
# %% solution variables
# Make a list `sum_parts` of three numbers, and their sum in `total`.
### BEGIN SOLUTION
sum_parts = [1, 2, 3]
total = sum(sum_parts)
### END SOLUTION
# %% test variables_test 1
assert isinstance(sum_parts, list) and len(sum_parts) == 3
assert total == sum(sum_parts)
# %% solution loop
def count_vowels(text):
    """The number of vowels. Use a for loop.

    >>> count_vowels("hello")
    2
    """
    ### BEGIN SOLUTION
    count = 0
    for c in text:
        count += c in "aeiou"
    return count
    ### END SOLUTION
# %% test loop_test 2
assert callable(count_vowels)
assert count_vowels("education") == 5
assert count_vowels("") == 0
# %% test loop_used 1
import inspect

assert "for " in inspect.getsource(count_vowels)
# %% test doctested 2
import doctest

doctest.run_docstring_examples(count_vowels, globals(), optionflags=doctest.REPORT_NDIFF)
results = doctest.testmod()
2 * (results.failed == 0 and results.attempted > 0)
# %% solution account
class Account:
    """An account with `balance`, `deposit(amount)`; it never goes below zero on `withdraw`."""
    ### BEGIN SOLUTION
    def __init__(self, balance=0):
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough")
        self.balance -= amount
    ### END SOLUTION
# %% test account_test 3
mine = Account()
mine.deposit(5)
assert mine.balance == 5 and Account(2).balance == 2
### BEGIN HIDDEN TESTS
try:
    mine.withdraw(6)
except ValueError:
    assert mine.balance == 5
else:
    raise AssertionError("withdrew too much")
### END HIDDEN TESTS
# %% test account_kept 1
import copy
import pickle

assert copy.deepcopy(mine).balance == mine.balance
assert type(mine).__module__ == "__main__" == __name__
assert pickle.loads(pickle.dumps(mine)).balance == 5
# %% test same_name 1
assert mine.deposit.__self__ is mine and vars()["mine"] is mine and "mine" in locals()
# %% solution program
# Write a program that prints "ready" if it is the main program.
### BEGIN SOLUTION
if __name__ == "__main__":
    ready = True
### END SOLUTION
# %% test program_test 1
assert ready

# ==== right
# %% variables
sum_parts = [4, 5, 6]
total = 15
# %% loop
def count_vowels(text):
    """
    >>> count_vowels("hello")
    2
    """
    n = 0
    for letter in text:
        if letter in "aeiou":
            n = n + 1
    return n
# %% account
class Account:
    def __init__(self, balance=0):
        self.balance = balance
    def deposit(self, amount):
        self.balance += amount
    def withdraw(self, amount):
        if self.balance < amount:
            raise ValueError
        self.balance -= amount
# %% program
def main():
    return True
if __name__ == "__main__":
    ready = main()

# ==== overwrites sum
# %% variables
sum_parts = [1, 2, 3]
sum = 1 + 2 + 3
total = sum
# %% loop
def count_vowels(text):
    """Vowels.

    >>> count_vowels("hello")
    3
    """
    return len([c for c in text if c in "aeiou"])
# %% account
class Account:
    balance = 0
    def deposit(self, amount):
        Account.balance += amount
    def withdraw(self, amount):
        Account.balance -= amount
# %% program
ready = __name__ == "main"

# ==== wrong
# %% variables
sum_parts = (1, 2, 3)
total = "6"
# %% loop
count_vowels = 5
# %% account
def Account():
    pass
# %% program
print("ready")

# ==== uses a lambda and a dataclass
# %% variables
total = sum(sum_parts := [1, 1, 1])
# %% loop
count_vowels = lambda text: sum(1 for c in text if c in "aeiou")
# %% account
from dataclasses import dataclass

@dataclass
class Account:
    balance: int = 0
    def deposit(self, amount: int) -> None:
        self.balance += amount
    def withdraw(self, amount: int) -> None:
        assert amount <= self.balance
        self.balance -= amount
# %% + account
mine = Account(3); mine

# ==== untouched
