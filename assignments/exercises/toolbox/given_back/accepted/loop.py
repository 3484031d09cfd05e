def given_back(snapshot, device):
    total = 0
    for segment in snapshot:
        if segment["device"] != device.index:
            continue
        in_use = [b for b in segment["blocks"] if b["state"].startswith("active")]
        if not in_use:
            total += segment["total_size"]
    return total
