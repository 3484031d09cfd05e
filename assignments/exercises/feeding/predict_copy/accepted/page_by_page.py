def predict_copy(source, pinned, target, non_blocking):
    copied = source != target
    with_host = copied and "cpu" in (source, target)
    back = copied and target == "cpu"
    buffer = non_blocking if back else pinned
    waits = with_host and not (buffer and non_blocking)
    return {
        "risky": back and not waits,
        "pinned": target == "cpu" and buffer,
        "device": target,
        "waits": waits,
    }
