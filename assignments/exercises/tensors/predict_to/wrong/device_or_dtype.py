# finding: asked-for-ignored
def predict_to(device, dtype, method, arguments):
    if "device" in arguments:
        return arguments["device"], dtype, arguments["device"] == device
    return device, arguments["dtype"], arguments["dtype"] == dtype
