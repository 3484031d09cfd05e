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
# finding: gave-up
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
# finding: gave-up
def reserve(uuids, locks):
    for uuid in uuids:
        if not (locks / uuid).exists():
            try:
                (locks / uuid).open("x").close()
                return uuid
            except FileExistsError:
                return None


# %% all_of_them
# finding: more-than-one
def reserve(uuids, locks):
    got = []
    for uuid in uuids:
        try:
            (locks / uuid).open("x").close()
            got.append(uuid)
        except FileExistsError:
            pass
    return got[0] if got else None


# %% looks_twice
# finding: taken-twice
def reserve(uuids, locks):
    for uuid in uuids:
        lock = locks / uuid
        if not lock.exists():
            if lock.exists():
                continue
            lock.open("w").close()
            return uuid
    return None


# %% the_path
# finding: a-path
def reserve(uuids, locks):
    for uuid in uuids:
        try:
            (locks / uuid).open("x").close()
        except FileExistsError:
            continue
        return locks / uuid


# %% nothing
# finding: nothing-returned
def reserve(uuids, locks):
    for uuid in uuids:
        try:
            (locks / uuid).open("x").close()
            break
        except FileExistsError:
            pass
