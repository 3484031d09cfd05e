# %% listed_first
# finding: taken-twice
import os


def reserve(uuids, locks):
    taken = os.listdir(locks)
    for uuid in uuids:
        if uuid not in taken:
            open(os.path.join(locks, uuid), "w").close()
            return uuid


# %% gives_up
# finding: nothing-returned
def reserve(uuids, locks):
    for uuid in uuids:
        try:
            (locks / uuid).open("x").close()
            return uuid
        except FileExistsError:
            return None


# %% from_the_end
# finding: other-card
def reserve(uuids, locks):
    for uuid in uuids[::-1]:
        try:
            (locks / uuid).open("x").close()
            return uuid
        except FileExistsError:
            pass


# %% looks_and_gives_up
# finding: nothing-returned
def reserve(uuids, locks):
    for uuid in uuids:
        if not (locks / uuid).exists():
            try:
                (locks / uuid).open("x").close()
                return uuid
            except FileExistsError:
                return None
