# finding: one-after-the-other
def measured_time(program, launch, kernel):
    timed = program[program.index("start") : program.index("stop")]
    if "synchronize" not in timed:
        return timed.count("run") * launch
    return timed.count("run") * (launch + kernel)
