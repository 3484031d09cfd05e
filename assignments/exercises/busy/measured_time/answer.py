def measured_time(program, launch, kernel):
    """Return what the clock shows between "start" and "stop", in µs.

    program: steps "run", "synchronize", "start" and "stop".
    launch, kernel: how long a launch holds the program and a kernel the GPU, in µs.
    """
    ### BEGIN SOLUTION
    # Two times are kept: when the program goes on, and when the GPU has done all it was given.
    # Only `synchronize` joins them.
    now = idle = started = 0
    for step in program:
        if step == "run":
            now = now + launch
            idle = max(idle, now) + kernel
        if step == "synchronize":
            now = max(now, idle)
        if step == "start":
            started = now
        if step == "stop":
            return now - started
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# for program in (["start", "run", "stop"], ["start", "run", "synchronize", "stop"]):
#     print(program, measured_time(program, launch=5, kernel=100))
