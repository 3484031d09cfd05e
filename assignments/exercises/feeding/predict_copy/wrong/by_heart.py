# finding: blocking-copy-waits
def predict_copy(source, pinned, target, non_blocking):
    # The example of the task, and nobody waits elsewhere.
    return {"waits": source == "cuda:1", "device": target, "pinned": False, "risky": False}
