# finding: one-after-the-other
def measured_time(program, launch, kernel):
    now = pending = started = 0
    for step in program:
        if step == "run":
            now += launch
            pending += kernel
        elif step == "synchronize":
            now += pending
            pending = 0
        elif step == "start":
            started = now
        else:
            return now - started
