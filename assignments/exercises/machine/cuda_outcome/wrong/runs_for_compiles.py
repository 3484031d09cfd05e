# finding: other-outcome
def cuda_outcome(action, driver, pytorch, toolkit):
    if pytorch is None:
        return "CPU build"
    if action == "run":
        if driver is None:
            return "no driver"
        return "runs" if int(driver[:2]) >= int(pytorch[:2]) else "driver too old"
    if toolkit is None:
        return "no toolkit"
    return "runs" if toolkit[:2] == pytorch[:2] else "other toolkit"
