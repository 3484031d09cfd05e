def in_force(start, events):
    names = [event[0] for event in events]
    if "child" in names:
        place = names.index("child")
        return in_force(environment(start, events[:place]), events[place + 1:])
    uses = [place for place, name in enumerate(names) if name in ("tensor", "is_available")]
    value = environment(start, events[:uses[0]] if uses else events)
    if value is None:
        value = "0,1,2,3"
    return [int(card) for card in value.split(",")] if value else []


def environment(value, events):
    for event in events:
        if event[0] == "set":
            value = event[1]
        if event[0] == "setdefault" and value is None:
            value = event[1]
    return value
