# finding: free-blocks-counted
def given_back(snapshot, device):
    return sum(
        block["size"]
        for segment in snapshot
        if segment["device"] == device.index
        for block in segment["blocks"]
        if block["state"] == "inactive"
    )
