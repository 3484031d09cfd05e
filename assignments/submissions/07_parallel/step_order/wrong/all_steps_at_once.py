# finding: not-updated-yet
def step_order(phases):
    rank = ["scatter", "replicate", "apply", "gather", "loss", "backward", "add", "update"]
    return sorted(phases, key=lambda phase: rank.index(phase.split()[0]))
