# finding: wait-holds-both
def elapsed(program, start, end):
    now, free, passed, home = 0, {}, {}, {}
    for step, *rest in program:
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
                passed[what], home[what] = free[stream], stream
            else:
                free[home[what]] = max(free[home[what]], free[stream])
                free[stream] = max(free[stream], passed[what])
    return passed[end] - passed[start]
