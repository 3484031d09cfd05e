def free_mib(text):
    result = []
    for block in text.replace("\r", "").split("FB Memory Usage\n")[1:]:
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            if name.split() == ["Free"]:
                number = value.replace("MiB", "").strip()
                result.append(int(number) if number != "N/A" else None)
                break
    return tuple(result)
