# finding: asked-for-ignored
def predict_to(device, dtype, method, arguments):
    new, kind = device, dtype
    if method == "cpu":
        new = "cpu"
    elif method == "cuda":
        if "device" not in arguments or device == "cpu":
            new = f"cuda:{arguments.get('device', 0)}"
        elif arguments["device"]:
            new = f"cuda:{arguments['device']}"
    elif "other" in arguments:
        new, kind = arguments["other"]
    else:
        new = arguments.get("device", device)
        kind = arguments.get("dtype", dtype)
    new = "cuda:0" if new == "cuda" else new
    return new, kind, (new, kind) == (device, dtype) and not arguments.get("copy", False)
