# finding: scalars-gathered
def predict_wrap(wraps, gpus, batch, calls):
    prefix = "module." * wraps
    replicated = wraps == 1 and gpus > 1
    return {
        "keys": [prefix + "scale", prefix + "seen"],
        "calls": calls if replicated else calls + 1,
        "seen": 1,
        "shape": [2] if replicated and gpus == 2 else [],
    }
