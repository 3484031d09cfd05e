# finding: not-available-read
def free_mib(text):
    free, section = [], None
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if line.startswith("    ") and ":" not in line:
            section = name
        if section == "FB Memory Usage" and name == "Free":
            free.append(int(value.split()[0]))
    return free
