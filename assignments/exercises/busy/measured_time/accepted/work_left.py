def measured_time(program, launch, kernel):
    left = 0
    clock = None
    for step in program:
        spent = {"run": launch, "synchronize": left}.get(step, 0)
        left = max(0, left - spent)
        if step == "run":
            left += kernel
        if clock is not None:
            clock += spent
        if step == "start":
            clock = 0
        if step == "stop":
            return clock
