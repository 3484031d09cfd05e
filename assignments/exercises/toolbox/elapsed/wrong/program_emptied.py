# finding: input-changed
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    while program:
        step, *rest = program.pop(0)
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            free[stream] = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] += what
            elif step == "record":
                passed[what] = free[stream]
            else:
                free[stream] = max(free[stream], passed[what])
    return passed[end] - passed[start]
