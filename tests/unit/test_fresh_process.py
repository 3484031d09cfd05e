"""The first check of a process: what torch loads late is not on the learner's clock."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLOW_IMPORT = """
import sys, time
sys.path.insert(0, {here!r})

class Slow:
    '''Whoever imports torch._dynamo pays two seconds of processor time.'''
    def find_spec(self, name, path=None, target=None):
        if name == "torch._dynamo":
            until = time.process_time() + 2
            while time.process_time() < until:
                pass

sys.meta_path.insert(0, Slow())
from toy import look
from torch.utils._python_dispatch import TorchDispatchMode
assert "torch._dynamo" not in sys.modules

def double(x):                     # as observers do, and optimizers, and torch.load
    with TorchDispatchMode():
        return 2 * x

print(look(double, "seed").outcome)
assert "torch._dynamo" in sys.modules
"""


@pytest.mark.more
@pytest.mark.slow
def test_a_slow_import_is_not_counted():
    """The toy's limit is 0.3 s a case; the import takes seven times as long."""
    done = subprocess.run(
        [sys.executable, "-c", SLOW_IMPORT.format(here=str(HERE))], capture_output=True, text=True
    )
    assert "Passed(cases=3, drawn=1)" in done.stdout, done.stdout + done.stderr
