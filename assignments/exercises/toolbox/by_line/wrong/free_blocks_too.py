# finding: free-counted
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held
