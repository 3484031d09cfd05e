def step_order(phases):
    rank = ["scatter", "replicate", "apply", "gather", "loss", "backward", "add", "update"]
    ordered = []
    left = list(phases)
    while left:
        for phase in sorted(set(left), key=lambda name: rank.index(name.split()[0])):
            ordered.append(phase)
            left.remove(phase)
    return ordered
