"""The user of this kernel: a learner, nbgrader's Validate button, or nbgrader's autograder.

nbgrader sets an environment variable (nbgrader 0.9, converters/autograde.py and validator.py). It
is read once, at import, so that an answer cannot change it afterwards.
"""

import os
import secrets

GRADING_SEED = "COURSE_GRADING_SEED"
"""The environment variable in which assignments/nbgrader_config.py puts the instructor's seed."""

_EXECUTION = os.environ.get("NBGRADER_EXECUTION", "")

AUTOGRADING = _EXECUTION == "autograde"
"""True while nbgrader grades: hidden cases run as well, and hints and solutions are withheld."""

SCORED = _EXECUTION in ("autograde", "validate")
"""True if nbgrader reads the outputs of cells: only a check that raises counts as failed."""

_SEED = os.environ.get(GRADING_SEED) or secrets.token_hex(16)


def hidden_seed() -> str | None:
    """The seed of the hidden cases while grading (a new random one if none is set), else None."""
    return _SEED if AUTOGRADING else None
