# finding: wait-ignored
def elapsed(program, start, end):
    now, free, passed, held = 0, {}, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = max(ready, held.get(stream, 0)) + what
            elif step == "record":
                passed[what] = ready
            else:
                held[stream] = max(held.get(stream, 0), passed[what])
    return passed[end] - passed[start]
