# happened = "An answer raises an error whose text cannot be printed."
# points = {add_on = 0}
# %% add_on
class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")


def add_on(a, b, where):
    raise Odd
