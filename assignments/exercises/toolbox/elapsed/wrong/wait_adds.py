# finding: times-added
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = ready + passed[what]
    return passed[end] - passed[start]
