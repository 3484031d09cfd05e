def processes(table):
    """Return (card, pid, type, memory in MiB or None) for each row of the process table."""
    ### BEGIN SOLUTION
    found = []
    # The upper half has rows that begin with a number as well.
    _, _, lower = table.partition("Processes:")
    for line in lower.splitlines():
        words = line.replace("|", " ").split()
        # From the left: card, two IDs, PID, type. From the right: memory. Between them the name,
        # which may be several words.
        if len(words) < 7 or not words[0].isdigit():
            continue
        memory = None if words[-1] == "N/A" else int(words[-1].removesuffix("MiB"))
        found.append((int(words[0]), int(words[3]), words[4], memory))
    return found
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# from course_utils.experiments.servers import on_server
# print(processes(on_server("nvidia-smi")))  # the shared server of lesson 01
