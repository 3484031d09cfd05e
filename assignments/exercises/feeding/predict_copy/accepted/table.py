RULES = {
    # direction: {(pinned, non_blocking): (waits, pinned result, risky)}
    "in": {(False, False): (True, False, False), (False, True): (True, False, False),
           (True, False): (True, False, False), (True, True): (False, False, False)},
    "out": {(False, False): (True, False, False), (False, True): (False, True, True)},
    "across": {(False, False): (False, False, False), (False, True): (False, False, False)},
}


def predict_copy(source, pinned, target, non_blocking):
    if source == target:
        answers = (False, pinned, False)
    else:
        direction = "in" if source == "cpu" else "out" if target == "cpu" else "across"
        answers = RULES[direction][pinned, non_blocking]
    waits, result_pinned, risky = answers
    return {"waits": waits, "device": target, "pinned": result_pinned, "risky": risky}
