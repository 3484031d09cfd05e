# finding: copy-forgotten
def predict_to(device, dtype, method, arguments):
    before = device, dtype
    if method == "cpu":
        device = "cpu"
    elif method == "cuda":
        device = f"cuda:{arguments.get('device', 0)}"
    elif "other" in arguments:
        device, dtype = arguments["other"]
    else:
        device = arguments.get("device", device)
        dtype = arguments.get("dtype", dtype)
    if device == "cuda":
        device = "cuda:0"
    return device, dtype, (device, dtype) == before
