# finding: other-form
def predict_to(device, dtype, method, arguments):
    return {"device": arguments.get("device", device), "dtype": dtype, "same": False}
