# finding: third-stream
def early_reads(program):
    own, heard, host, written, early = {}, {}, set(), set(), []
    for position, (step, stream, *rest) in enumerate(program):
        mine = own.setdefault(stream, set())
        known = heard.setdefault(stream, set())
        known |= host
        if step == "write":
            written.add(rest[0])
            mine.add(rest[0])
        elif step == "read":
            if rest[0] in written and rest[0] not in known | mine:
                early.append(position)
        elif step == "wait":
            known |= own.get(rest[0], set())
        else:
            host |= known | mine
    return early
