# finding: queued-first
def early_reads(program):
    written, early = set(), []
    tensors = {step[2] for step in program if step[0] == "write"}
    for position, step in enumerate(program):
        if step[0] == "write":
            written.add(step[2])
        if step[0] == "read" and step[2] in tensors and step[2] not in written:
            early.append(position)
    return early
