def measured_time(program, launch, kernel):
    now, ready = 0.0, 0.0
    started = stopped = 0.0
    for step in program:
        if step == "run":
            now += launch
            ready = max(now, ready) + kernel
        elif step == "synchronize":
            now = max(now, ready)
        elif step == "start":
            started = now
        else:
            stopped = now
    return stopped - started
