def step_order(phases):
    gpus = sorted({phase.split()[-1] for phase in phases if phase.startswith("apply")})
    step = ["scatter", "replicate"]
    step += [f"apply on {gpu}" for gpu in gpus]
    step += ["gather", "loss"]
    step += [f"backward on {gpu}" for gpu in reversed(gpus)]
    step += ["add gradients", "update"]
    return [phase for _ in range(phases.count("gather")) for phase in step]
