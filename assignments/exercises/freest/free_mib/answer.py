def free_mib(text):
    """Return the free MiB of each GPU in a report of `nvidia-smi -q`; None where it says N/A."""
    ### BEGIN SOLUTION
    free, section = [], None
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if line.startswith("    ") and ":" not in line:
            section = name
        # The section, and not the number of lines since the last GPU, tells what a line means.
        if section == "FB Memory Usage" and name == "Free":
            free.append(None if value == "N/A" else int(value.split()[0]))
    return free
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# import subprocess
#
# from course_utils.experiments.hosts import log_in
#
# log_in("lima")
# command = ["nvidia-smi", "-q", "-d", "MEMORY"]
# text = subprocess.run(command, capture_output=True, text=True).stdout
# print(text)
# print(free_mib(text))
