"""``python -m virtual_cuda compile``: compile the optional helper."""

import sys

from .platform import helper

if __name__ == "__main__":
    if sys.argv[1:] != ["compile"]:
        sys.exit("Usage: python -m virtual_cuda compile")
    try:
        helper.build()
    except RuntimeError as error:
        sys.exit(str(error))
    print("virtual_cuda: the helper is compiled; enable() uses it from now on.")
