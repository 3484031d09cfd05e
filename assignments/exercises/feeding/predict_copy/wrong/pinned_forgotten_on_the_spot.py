# finding: nothing-to-copy
def predict_copy(source, pinned, target, non_blocking):
    waits = pinned_result = risky = False
    if source == target:
        pinned_result = False
    elif source == "cpu":
        waits = not (pinned and non_blocking)
    elif target == "cpu":
        waits = not non_blocking
        pinned_result = risky = non_blocking
    return {"waits": waits, "device": target, "pinned": pinned_result, "risky": risky}
