# finding: wait-too-late
def early_reads(program):
    waits = {(step[1], step[2]) for step in program if step[0] == "wait"}
    by = {step[2]: step[1] for step in program if step[0] == "write"}
    return [p for p, step in enumerate(program)
            if step[0] == "read" and step[2] in by and by[step[2]] != step[1]
            and (step[1], by[step[2]]) not in waits]
