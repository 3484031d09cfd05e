# finding: waits-ignored
def early_reads(program):
    by = {step[2]: step[1] for step in program if step[0] == "write"}
    return [p for p, step in enumerate(program)
            if step[0] == "read" and by.get(step[2], step[1]) != step[1]]
