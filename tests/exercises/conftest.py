"""What the tests of exercises share."""

import pytest

from course_utils.devices import current_lab, lab


@pytest.fixture(scope="module")
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)
