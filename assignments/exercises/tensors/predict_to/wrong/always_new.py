# finding: always-new
def predict_to(device, dtype, method, arguments):
    if method == "cpu":
        device = "cpu"
    elif method == "cuda":
        device = f"cuda:{arguments.get('device', 0)}"
    elif "other" in arguments:
        device, dtype = arguments["other"]
    else:
        device = arguments.get("device", device).replace("cuda", "cuda:0", 1) \
            if arguments.get("device") == "cuda" else arguments.get("device", device)
        dtype = arguments.get("dtype", dtype)
    return device, dtype, False
