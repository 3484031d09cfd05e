def reserve(uuids, locks):
    for uuid in uuids:
        if (locks / uuid).exists():
            continue
        try:
            (locks / uuid).open("x").close()
        except FileExistsError:
            continue
        return uuid
    return None
