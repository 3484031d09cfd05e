def first_card(cards, order, visible):
    uuids = [uuid for uuid, _ in cards]
    if order in (None, "FASTEST_FIRST"):
        ranks = {uuid: (-speed, position) for position, (uuid, speed) in enumerate(cards)}
        uuids.sort(key=ranks.get)
    names = {str(number): uuid for number, uuid in enumerate(uuids)}
    if visible is None:
        return names["0"]
    if visible[:4] == "GPU-":
        found = []
        for short in visible.split(","):
            match = set(filter(lambda uuid: uuid.startswith(short), uuids))
            if len(match) != 1:
                break
            found += match
        return None if len({*found}) < len(found) or not found else found[0]
    chosen = []
    for name in visible.replace(" ", "").split(","):
        if name not in names:
            break
        if names[name] in chosen:
            return None
        chosen.append(names[name])
    return next(iter(chosen), None)
