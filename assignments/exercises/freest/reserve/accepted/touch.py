def reserve(uuids, locks):
    for uuid in uuids:
        try:
            (locks / uuid).touch(exist_ok=False)
            return uuid
        except FileExistsError:
            pass
