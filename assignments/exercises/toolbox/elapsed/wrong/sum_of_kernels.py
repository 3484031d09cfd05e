# finding: idle-time-left-out
def elapsed(program, start, end):
    total, counting = 0, False
    for step, *rest in program:
        if step == "record" and rest[1] in (start, end):
            counting = not counting
        elif step == "run" and counting:
            total += rest[1]
    return total
