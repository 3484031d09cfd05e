# finding: other-gpus-counted
def given_back(snapshot, device):
    return sum(
        block["size"]
        for segment in snapshot
        for block in segment["blocks"]
        if block["state"] == "inactive"
    )
