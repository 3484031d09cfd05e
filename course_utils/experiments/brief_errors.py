"""The first lines of a child's program: print an exception that ends it as its last line."""

import sys
import traceback
from types import TracebackType


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    print("".join(traceback.format_exception_only(kind, error)).rstrip())


sys.excepthook = _show
