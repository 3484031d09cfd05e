# finding: no-replicas-yet
def step_order(phases):
    steps = phases.count("update")
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply"))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward"))
    return ["scatter", *forward, "replicate", "gather", "loss", *backward, "add gradients", "update"] * steps
