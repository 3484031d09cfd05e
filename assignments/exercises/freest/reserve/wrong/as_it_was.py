# finding: taken-twice
def reserve(uuids, locks):
    """Reserve the first free card of `uuids` for one program; return its UUID, or None."""
    for uuid in uuids:
        if not (locks / uuid).exists():
            (locks / uuid).open("w").close()
            return uuid
