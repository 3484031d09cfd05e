def early_reads(program):
    def after(position, stream, write):
        """Whether work queued in `stream` before `position` runs after the step `write`."""
        for p in range(position - 1, write, -1):
            step = program[p]
            if step[0] == "wait" and step[1] == stream and after(p, step[2], write):
                return True
            if step[0] == "synchronize" and after(p, step[1], write):
                return True
        return program[write][1] == stream

    early = []
    for position, step in enumerate(program):
        if step[0] == "read":
            for write, other in enumerate(program[:position]):
                if other[0] == "write" and other[2] == step[2]:
                    if not after(position, step[1], write):
                        early.append(position)
    return early
