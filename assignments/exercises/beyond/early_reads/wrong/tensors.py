# finding: names
def early_reads(program):
    done, host, written, early = {}, set(), set(), []
    for step, stream, *rest in program:
        known = done.setdefault(stream, set())
        known |= host
        if step == "write":
            written.add(rest[0])
            known.add(rest[0])
        elif step == "read":
            if rest[0] in written and rest[0] not in known:
                early.append(rest[0])
        elif step == "wait":
            known |= done.get(rest[0], set())
        else:
            host |= known
    return early
