# finding: used-read
def free_mib(text):
    found, section = [], None
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if line.startswith("    ") and ":" not in line:
            section = name
        if section == "FB Memory Usage" and name == "Used":
            found.append(int(value.split()[0]))
    return found
