def timing_order(steps):
    left = list(steps)
    ordered = []
    for name, all_of_them in [
        ("warm up", True),
        ("synchronize", False),
        ("start the clock", False),
        ("run", True),
        ("synchronize", False),
        ("stop the clock", False),
    ]:
        while name in left:
            left.remove(name)
            ordered.append(name)
            if not all_of_them:
                break
    return ordered
