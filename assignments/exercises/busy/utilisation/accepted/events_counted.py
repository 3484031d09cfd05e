def utilisation(kernels, start, end):
    events = sorted([(a, 1) for a, _ in kernels] + [(b, -1) for _, b in kernels])
    busy, running, since = 0, 0, None
    for when, change in events:
        if running and change:
            busy += max(0, min(when, end) - max(since, start))
        running += change
        since = when
    return busy / (end - start)
