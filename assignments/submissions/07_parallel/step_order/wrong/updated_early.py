# finding: gradients-not-added
def step_order(phases):
    steps = phases.count("update")
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply"))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward"))
    return ["scatter", "replicate", *forward, "gather", "loss", *backward, "update", "add gradients"] * steps
