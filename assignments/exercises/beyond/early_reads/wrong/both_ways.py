# finding: waits-both-ways
def early_reads(program):
    done, host, written, early = {}, set(), set(), []
    for position, (step, stream, *rest) in enumerate(program):
        known = done.setdefault(stream, set())
        known |= host
        if step == "write":
            written.add(rest[0])
            known.add(rest[0])
        elif step == "read":
            if rest[0] in written and rest[0] not in known:
                early.append(position)
        elif step == "wait":
            both = known | done.get(rest[0], set())
            done[stream], done[rest[0]] = set(both), set(both)
        else:
            host |= known
    return early
