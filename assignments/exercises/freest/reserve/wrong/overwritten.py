# finding: already-reserved
def reserve(uuids, locks):
    for uuid in uuids:
        (locks / uuid).open("w").close()
        return uuid
