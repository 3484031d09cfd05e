"""A fork that plays one part, and ends with it."""

import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn


def end_with(part: Callable[..., None], *arguments: Any) -> NoReturn:
    """Play that part in this process, and end with it: exit code 0, or 1 after a traceback."""
    code = 1
    try:
        part(*arguments)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
