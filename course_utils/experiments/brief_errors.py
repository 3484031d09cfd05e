"""The beginning of a child's program: an exception that ends it is printed as its last line."""

import sys
import traceback
from types import TracebackType


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    print("".join(traceback.format_exception_only(kind, error)).rstrip())


sys.excepthook = _show
