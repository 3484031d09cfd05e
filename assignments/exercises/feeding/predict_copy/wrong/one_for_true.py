# finding: other-form
def predict_copy(source, pinned, target, non_blocking):
    copied = source != target and "cpu" in (source, target)
    free = non_blocking and (pinned or target == "cpu")
    risky = copied and target == "cpu" and non_blocking
    return {"waits": int(copied and not free), "device": target,
            "pinned": int(risky or (not copied and pinned)), "risky": int(risky)}
