# finding: nothing-returned
def free_mib(text):
    section = None
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if line.startswith("    ") and ":" not in line:
            section = name
        if section == "FB Memory Usage" and name == "Free":
            print(value)
