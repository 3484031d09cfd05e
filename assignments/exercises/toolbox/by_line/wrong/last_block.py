# finding: only-one-block
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = block["size"]
    return held
