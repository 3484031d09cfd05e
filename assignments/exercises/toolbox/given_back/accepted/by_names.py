def given_back(snapshot, device):
    held = []
    for segment in snapshot:
        if f"cuda:{segment['device']}" == str(device):
            states = {block["state"] for block in segment["blocks"]}
            held.append(segment["total_size"] if states == {"inactive"} else 0)
    return sum(held)
