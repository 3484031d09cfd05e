# finding: idle-time-left-out
def elapsed(program, start, end):
    (stream,) = [step[1] for step in program if step[0] == "record" and step[2] == end]
    total, counting = 0, False
    for step, *rest in program:
        if step == "record" and rest[1] in (start, end):
            counting = not counting
        elif step == "run" and rest[0] == stream and counting:
            total += rest[1]
    return total
