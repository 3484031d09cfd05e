# finding: scalars-gathered
def predict_wrap(wraps, gpus, batch, calls):
    prefix = "module." * wraps
    replicated = wraps > 0 and gpus > 1
    parts = -(-batch // -(-batch // gpus)) if gpus else 1
    return {
        "keys": [prefix + "scale", prefix + "seen"],
        "calls": calls if replicated else calls + 1,
        "seen": 1,
        "shape": [],
    }
