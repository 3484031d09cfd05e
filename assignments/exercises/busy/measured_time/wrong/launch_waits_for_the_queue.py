# finding: one-after-the-other
def measured_time(program, launch, kernel):
    now = idle = started = 0
    for step in program:
        if step == "run":
            now = max(now, idle) + launch
            idle = now + kernel
        if step == "synchronize":
            now = max(now, idle)
        if step == "start":
            started = now
        if step == "stop":
            return now - started
