# finding: phases-lost
def step_order(phases):
    step = ["scatter", "replicate", "apply on cuda:0", "apply on cuda:1", "gather", "loss",
            "backward on cuda:0", "backward on cuda:1", "add gradients", "update"]
    return step * phases.count("update")
