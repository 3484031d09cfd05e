import re

PATTERN = re.compile(
    r"(?P<number>invalid device (ordinal|id\b))|(?P<hidden>no CUDA GPUs)|(?P<late>unknown error - )"
    r"|(?P<driver>NVIDIA driver)|(?P<build>not compiled)",
    re.IGNORECASE,
)


def read_visible_error(message):
    found = PATTERN.search(message)
    return found and found.lastgroup
