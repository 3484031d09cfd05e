"""The end of a forked process: it runs one function and exits."""

import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn


def end_with(part: Callable[..., None], *arguments: Any) -> NoReturn:
    """Call `part` and end this process: exit code 0, or 1 after a traceback."""
    code = 1
    try:
        part(*arguments)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
