# finding: later-work-waited-for
def early_reads(program):
    waits, own, host, written, early = set(), {}, set(), set(), []

    def known(stream, seen=()):
        found = set(own.get(stream, ())) | host
        for waiting, other in waits:
            if waiting == stream and other not in seen:
                found |= known(other, (*seen, stream))
        return found

    for position, (step, stream, *rest) in enumerate(program):
        if step == "write":
            written.add(rest[0])
            own.setdefault(stream, set()).add(rest[0])
        elif step == "read":
            if rest[0] in written and rest[0] not in known(stream):
                early.append(position)
        elif step == "wait":
            waits.add((stream, rest[0]))
        else:
            host |= known(stream)
    return early
