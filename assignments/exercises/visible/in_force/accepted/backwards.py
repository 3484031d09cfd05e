ALL = (0, 1, 2, 3)


def in_force(start, events):
    # Only the last process counts, and what stood in the environment when it began.
    begin = max((n for n, event in enumerate(events) if event[0] == "child"), default=-1)
    inherited = start
    own = start
    for number, (name, *values) in enumerate(events):
        if number == begin:
            inherited = own
        if name == "set":
            own = values[0]
        elif name == "setdefault":
            own = values[0] if own is None else own
    value = inherited if begin >= 0 else start
    for name, *values in events[begin + 1 :]:
        match name:
            case "set":
                value = values[0]
            case "setdefault":
                value = values[0] if value is None else value
            case "tensor" | "is_available":
                break
    return ALL if value is None else tuple(int(c) for c in value.split(",")) if value else ()
