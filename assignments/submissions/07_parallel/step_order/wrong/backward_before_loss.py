# finding: no-loss-yet
def step_order(phases):
    steps = phases.count("update")
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply"))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward"))
    return ["scatter", "replicate", *forward, "gather", *backward, "loss", "add gradients", "update"] * steps
