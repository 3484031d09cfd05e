# Source: what is written to stderr counts as a failure: nbgrader's issue 1381, cocalc's issue 5028,
# and unittest.TextTestRunner, which a data science course calls in its test cells.
# %% plain setup
import logging
import sys
import unittest
import warnings

import numpy as np
# %% solution ratio
def ratio(a, b):
    ### BEGIN SOLUTION
    return a / b if b else 0.0
    ### END SOLUTION
# %% test ratio_test 2
assert ratio(1, 2) == 0.5
assert ratio(1, 0) == 0.0
# %% test ratio_of_arrays 2
assert np.isclose(ratio(np.float64(3), np.float64(2)), 1.5)
ratio(np.float64(1), np.float64(0))
print("checked")
# %% test with_unittest 2
class RatioTests(unittest.TestCase):
    def test_half(self):
        self.assertEqual(ratio(1, 2), 0.5)
suite = unittest.defaultTestLoader.loadTestsFromTestCase(RatioTests)
assert unittest.TextTestRunner(stream=sys.stdout).run(suite).wasSuccessful()
# %% test with_unittest_as_it_is 2
unittest.TextTestRunner().run(suite)
# %% test quiet 1
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("nobody sees this")
assert ratio(4, 2) == 2
# %% test credit_and_a_warning 4
print("a remark", file=sys.stderr) if ratio(1, 0) else None
3.0
# %% test credit_then_a_remark 4
print("first", file=sys.stdout)
ratio(6, 2)
# %% solution mean
def mean(values):
    ### BEGIN SOLUTION
    return sum(values) / len(values)
    ### END SOLUTION
# %% test mean_test 3
assert mean([1, 2, 3]) == 2

# ==== right
# %% ratio
def ratio(a, b):
    if b == 0:
        return 0.0
    return a / b
# %% mean
def mean(values):
    return sum(values) / len(values)

# ==== divides by zero
# %% ratio
def ratio(a, b):
    return np.float64(a) / b
# %% mean
def mean(values):
    return np.mean(np.array(values, dtype="float64"))

# ==== warns
# %% ratio
def ratio(a, b):
    warnings.warn("ratio is deprecated", DeprecationWarning, stacklevel=2)
    return a / b if b else 0.0
# %% mean
def mean(values):
    logging.warning("computing %d values", len(values))
    return sum(values) / len(values)

# ==== shows progress
# %% ratio
def ratio(a, b):
    sys.stderr.write(f"\r{a}/{b}")
    return a / b if b else 0.0
# %% mean
log = logging.getLogger("mean")
def mean(values):
    log.info("not shown")
    log.debug("not shown")
    return sum(values) / len(values)

# ==== warns in the answer only
# %% ratio
warnings.warn("this cell is not a test")
def ratio(a, b):
    return a / b if b else 0.0
# %% mean
print("oops", file=sys.stderr)
def mean(values):
    return sum(values) / max(len(values), 1)

# ==== untouched
