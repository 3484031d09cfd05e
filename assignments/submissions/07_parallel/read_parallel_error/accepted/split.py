def read_parallel_error(message):
    lines = message.strip().split("\n")
    if " in replica " in lines[0]:
        error, cause = lines[-1].split(": ", 1)
        number = lines[0].split(" on device ")[1].rstrip(".")
        return {"gpu": "cuda:" + number, "error": error, "cause": cause}
    if "(device_ids[0])" in message:
        words = message.split()
        return {"wanted": words[words.index("(device_ids[0])") - 1], "found": words[-1]}
    return None
