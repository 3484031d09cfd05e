# finding: not-all-replicas-run
def step_order(phases):
    steps = phases.count("update")
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply"))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward"))
    first, *others = forward
    return ["scatter", "replicate", first, "gather", *others, "loss", *backward, "add gradients", "update"] * steps
