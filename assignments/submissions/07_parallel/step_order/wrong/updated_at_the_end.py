# finding: not-updated-yet
def step_order(phases):
    steps = phases.count("update")
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply"))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward"))
    step = ["scatter", "replicate", *forward, "gather", "loss", *backward, "add gradients"]
    return step * steps + ["update"] * steps
