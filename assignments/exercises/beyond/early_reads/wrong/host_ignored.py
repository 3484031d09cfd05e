# finding: synchronize-ignored
def early_reads(program):
    done, written, early = {}, set(), []
    for position, (step, stream, *rest) in enumerate(program):
        known = done.setdefault(stream, set())
        if step == "write":
            written.add(rest[0])
            known.add(rest[0])
        elif step == "read":
            if rest[0] in written and rest[0] not in known:
                early.append(position)
        elif step == "wait":
            known |= done.get(rest[0], set())
    return early
