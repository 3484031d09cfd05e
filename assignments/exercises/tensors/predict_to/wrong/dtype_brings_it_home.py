# finding: dtype-moved-it
def predict_to(device, dtype, method, arguments):
    target = arguments.get("device", "cpu")
    wanted = arguments.get("dtype", dtype)
    return target, wanted, (target, wanted) == (device, dtype)
