# finding: caller-line
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[-1] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held
