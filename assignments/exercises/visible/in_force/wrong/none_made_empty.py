# finding: unset
def in_force(start, events):
    def cards(value):
        if value is None:
            return [0, 1, 2, 3]
        return [int(entry) for entry in value.split(",") if entry]

    value, read = start or "", None
    for event, *new in events:
        if event == "set" or (event == "setdefault" and not value):
            value = new[0]
        elif event in ("is_available", "tensor") and read is None:
            read = cards(value)
        elif event == "child":
            read = None
    return cards(value) if read is None else read
