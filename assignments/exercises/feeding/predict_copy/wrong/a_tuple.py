# finding: other-form
def predict_copy(source, pinned, target, non_blocking):
    waits = pinned_result = risky = False
    if source == target:
        pinned_result = pinned
    elif source == "cpu":
        waits = not (pinned and non_blocking)
    elif target == "cpu":
        waits = not non_blocking
        pinned_result = risky = non_blocking
    return (waits, target, pinned_result, risky)
