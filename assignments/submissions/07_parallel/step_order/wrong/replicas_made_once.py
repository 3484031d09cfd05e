# finding: replicated-once
def step_order(phases):
    steps = phases.count("update")
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply"))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward"))
    # all replicas are made in the first step, and then used again and again
    step = [*forward, "gather", "loss", *backward, "add gradients", "update"]
    if steps == 1:
        return ["scatter", "replicate", *step]
    first = ["scatter", "replicate", *step]
    return first + (["scatter"] + step) * (steps - 1) + ["replicate"] * (steps - 1)
