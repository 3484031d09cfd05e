# finding: first-free-line
def free_mib(text):
    free, open_ = [], False
    for line in text.splitlines():
        if line.startswith("GPU "):
            open_ = True
        if open_ and line.partition(":")[0].strip() == "Free":
            value = line.partition(":")[2].strip()
            free.append(None if value == "N/A" else int(value.split()[0]))
            open_ = False
    return free
