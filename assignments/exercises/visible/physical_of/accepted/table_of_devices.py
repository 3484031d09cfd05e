def physical_of(value, device, n_physical):
    known = [str(number) for number in range(n_physical)]
    cards = known if value is None else []
    for entry in [] if value is None else value.split(","):
        if entry.strip() not in known:
            break
        if entry.strip() in cards:
            cards = []
            break
        cards.append(entry.strip())
    table = {f"cuda:{place}": int(card) for place, card in enumerate(cards)}
    if "cuda:0" in table:
        table["cuda"] = table["cuda:0"]
    if device not in table:
        raise ValueError("there is no " + device)
    return table[device]
