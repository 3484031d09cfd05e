# finding: logical-numbers
def in_force(start, events):
    value = start
    for event in events:
        if event[0] == "set":
            value = event[1]
    return list(range(4 if value is None else len(value.split(","))))
