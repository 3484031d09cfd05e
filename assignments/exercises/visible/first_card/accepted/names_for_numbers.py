def first_card(cards, order, visible):
    uuids = [uuid for uuid, _ in cards]
    if order in (None, "FASTEST_FIRST"):
        ranks = {uuid: (-speed, place) for place, (uuid, speed) in enumerate(cards)}
        uuids.sort(key=ranks.get)
    names = {str(number): uuid for number, uuid in enumerate(uuids)}
    if visible is None:
        return names["0"]
    if visible[:4] == "GPU-":
        short = visible.split(",")[0]
        match = set(filter(lambda uuid: uuid.startswith(short), uuids))
        return match.pop() if len(match) == 1 else None
    chosen = []
    for name in visible.replace(" ", "").split(","):
        if name not in names:
            break
        if names[name] in chosen:
            return None
        chosen.append(names[name])
    return next(iter(chosen), None)
