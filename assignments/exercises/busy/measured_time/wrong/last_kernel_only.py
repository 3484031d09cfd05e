# finding: queue-forgotten
def measured_time(program, launch, kernel):
    now = ready = started = 0
    for step in program:
        if step == "run":
            now += launch
            ready = max(now, ready) + kernel
        elif step == "synchronize":
            now += kernel
        elif step == "start":
            started = now
        else:
            return now - started
