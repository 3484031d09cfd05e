# finding: backlog-forgotten
def measured_time(program, launch, kernel):
    now = ready = 0
    for step in program[program.index("start") : program.index("stop")]:
        if step == "run":
            now += launch
            ready = max(now, ready) + kernel
        elif step == "synchronize":
            now = max(now, ready)
    return now
