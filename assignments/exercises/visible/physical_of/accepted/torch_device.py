import torch


def visible(value, n_physical):
    if value is None:
        return list(range(n_physical))
    found = []
    for entry in value.split(","):
        try:
            number = int(entry)
        except ValueError:
            break
        if number not in range(n_physical):
            break
        found.append(number)
    return found if len({*found}) == len(found) else []


def physical_of(value, device, n_physical):
    wanted = torch.device(device)
    cards = visible(value, n_physical)
    try:
        if wanted.type != "cuda":
            raise IndexError
        return cards[wanted.index or 0]
    except IndexError:
        raise ValueError(f"{device} is not visible: {cards}") from None
