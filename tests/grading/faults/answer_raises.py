# happened = "An answer raises an error whose text cannot be printed."
# points = {mend_mismatch = 0}
# %% mend_mismatch
class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")


def mend_mismatch(batches, targets, weight, mean):
    raise Odd
