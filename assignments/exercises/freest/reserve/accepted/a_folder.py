import os
from contextlib import suppress


def reserve(uuids, locks):
    for uuid in uuids:
        with suppress(FileExistsError):
            os.mkdir(os.path.join(locks, uuid))
            return uuid
