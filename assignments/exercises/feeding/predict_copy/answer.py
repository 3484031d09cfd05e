def predict_copy(source, pinned, target, non_blocking):
    """Return what y = x.to(target, non_blocking=non_blocking) does, as a dict of four keys.

    source, target: "cpu", or a GPU such as "cuda:1". pinned: whether x is in pinned memory.
    """
    ### BEGIN SOLUTION
    waits = pinned_result = risky = False
    if source == target:
        pinned_result = pinned  # y is x itself: nothing to copy, nothing to wait for
    elif source == "cpu":
        # On its own, the GPU can fetch only what is pinned, and `to` has to be told not to wait.
        waits = not (pinned and non_blocking)
    elif target == "cpu":
        # On the way back, `to` itself takes pinned memory if it is not to wait. Then the host can
        # look at y before the GPU has written it.
        waits = not non_blocking
        pinned_result = risky = non_blocking
    # From GPU to GPU the host is never needed.
    return {"waits": waits, "device": target, "pinned": pinned_result, "risky": risky}
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# x = torch.zeros(1000, 1000).pin_memory()
# y = x.to(devices[1], non_blocking=True)
# y.device, y.is_pinned(), y.to("cpu", non_blocking=True).is_pinned()
