# finding: unknown-as-zero
def free_mib(text):
    free, section = [], None
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if line.startswith("    ") and ":" not in line:
            section = name
        if section == "FB Memory Usage" and name == "Free":
            free.append(0 if value == "N/A" else int(value.split()[0]))
    return free
