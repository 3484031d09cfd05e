# finding: always-waited
def measured_time(program, launch, kernel):
    now = ready = started = 0
    for step in program:
        if step == "run":
            now += launch
            ready = max(now, ready) + kernel
        elif step == "start":
            started = now
        elif step == "stop":
            return max(now, ready) - started
        else:
            now = max(now, ready)
