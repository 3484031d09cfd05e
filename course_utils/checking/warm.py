"""What torch loads at its first use is loaded here, before anybody's time is counted."""

import importlib
from functools import cache

_LAZY = (
    "torch._dynamo",  # dispatch modes, optimizers and torch.load ask for it: 820 modules
    "torch._subclasses.fake_tensor",
    "torch.fx.experimental.symbolic_shapes",
    "torch.nn.parallel",
    "torch.utils._python_dispatch",
    "torch.utils.data",
    "sympy",
)


@cache
def load_lazy_parts() -> None:
    """Load them, once in a process. Lessons' checks and grading both begin with this."""
    for name in _LAZY:
        importlib.import_module(name)
