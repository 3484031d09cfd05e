def estimate(work, cpu, gpu):
    found = []
    for name, processor in {"cpu": cpu, "gpu": gpu}.items():
        time = 0.0
        if work["data"] != name:
            time += work["bytes"] / gpu["link"]
        if name == "gpu":
            time += gpu["launch"]
        workers = 1 if work["chain"] else processor["cores"]
        computing = work["operations"] * processor["cores"] / (workers * processor["rate"])
        moving = work["bytes"] / processor["bandwidth"]
        found.append(time + (moving if moving > computing else computing))
    return found
