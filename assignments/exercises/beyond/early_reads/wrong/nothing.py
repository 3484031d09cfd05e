# finding: queued-first
def early_reads(program):
    return []
