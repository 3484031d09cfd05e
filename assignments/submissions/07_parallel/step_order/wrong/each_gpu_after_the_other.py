# finding: not-all-replicas-run
def step_order(phases):
    steps = phases.count("update")
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply"))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward"))
    each = [phase for pair in zip(forward, backward) for phase in pair]
    return ["scatter", "replicate", *each, "gather", "loss", "add gradients", "update"] * steps
