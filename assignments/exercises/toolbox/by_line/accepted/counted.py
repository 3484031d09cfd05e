from collections import Counter


def by_line(snapshot, device, file):
    held = Counter()
    for segment in snapshot["segments"]:
        for block in segment["blocks"]:
            if segment["device"] == device and block["state"] == "active_allocated":
                lines = (frame["line"] for frame in block["frames"] if frame["filename"] == file)
                held[next(lines, None)] += block["size"]
    return held
