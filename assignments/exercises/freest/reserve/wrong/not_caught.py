# finding: exception-left
def reserve(uuids, locks):
    for uuid in uuids:
        (locks / uuid).open("x").close()
        return uuid
