def early_reads(program):
    """Return the positions of the reads that may run before the write of their tensor is done."""
    ### BEGIN SOLUTION
    # For each stream: which writes are certainly done when its next work runs. What the host has
    # waited for is done for all streams.
    done, host, written, early = {}, set(), set(), []
    for position, (step, stream, *rest) in enumerate(program):
        known = done.setdefault(stream, set())
        known |= host  # this step was queued after the host had waited
        if step == "write":
            written.add(rest[0])
            known.add(rest[0])
        elif step == "read":
            if rest[0] in written and rest[0] not in known:
                early.append(position)
        elif step == "wait":
            known |= done.get(rest[0], set())
        else:
            host |= known
    return early
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(early_reads([("write", "copies", "batch"), ("read", "main", "batch"),
#                    ("wait", "main", "copies"), ("read", "main", "batch")]))
