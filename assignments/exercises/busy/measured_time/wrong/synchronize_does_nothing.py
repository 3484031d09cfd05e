# finding: launches-only
def measured_time(program, launch, kernel):
    timed = program[program.index("start") : program.index("stop")]
    return timed.count("run") * launch
