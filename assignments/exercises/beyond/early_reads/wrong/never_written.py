# finding: other-positions
def early_reads(program):
    done, host, early = {}, set(), []
    for position, (step, stream, *rest) in enumerate(program):
        known = done.setdefault(stream, set())
        known |= host
        if step == "write":
            known.add(rest[0])
        elif step == "read":
            if rest[0] not in known:
                early.append(position)
        elif step == "wait":
            known |= done.get(rest[0], set())
        else:
            host |= known
    return early
