def elapsed(program, start, end):
    """For each step: when it is done, found by what it has to wait for."""
    made = {step[2]: place for place, step in enumerate(program) if step[0] == "record"}

    def host(place):
        """When the host makes this step."""
        if place == 0:
            return 0
        before = host(place - 1)
        step = program[place - 1]
        if step[0] == "sleep":
            return before + step[1]
        if step[0] == "synchronize":
            return max(before, done(made[step[1]]))
        return before

    def done(place):
        """When the GPU is through with this step."""
        kind, stream, what = program[place]
        earlier = [p for p in range(place)
                   if program[p][0] in ("run", "record", "wait") and program[p][1] == stream]
        begins = max(host(place), done(earlier[-1]) if earlier else 0)
        if kind == "run":
            return begins + what
        return max(begins, done(made[what])) if kind == "wait" else begins

    return float(done(made[end]) - done(made[start]))
