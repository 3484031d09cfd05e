# happened = "An answer raises an error whose text cannot be printed."
# points = {fix_mismatch = 0}
# %% fix_mismatch
class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")


def fix_mismatch(batches, targets, weight, mean):
    raise Odd
