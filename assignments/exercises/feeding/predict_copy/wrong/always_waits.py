# finding: host-goes-on
def predict_copy(source, pinned, target, non_blocking):
    waits = pinned_result = risky = False
    if source == target:
        pinned_result = pinned
    elif source == "cpu":
        waits = True
    elif target == "cpu":
        waits = True
        pinned_result = risky = non_blocking
    return {"waits": waits, "device": target, "pinned": pinned_result, "risky": risky}
