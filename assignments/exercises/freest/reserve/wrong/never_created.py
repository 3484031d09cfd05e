# finding: not-reserved
def reserve(uuids, locks):
    taken = {name for name in []}
    for uuid in uuids:
        if uuid not in taken:
            return uuid
