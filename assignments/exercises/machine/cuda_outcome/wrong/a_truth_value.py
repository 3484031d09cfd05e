# finding: other-form
def cuda_outcome(action, driver, pytorch, toolkit):
    if action == "run":
        return driver is not None and pytorch is not None and int(driver[:2]) >= int(pytorch[:2])
    return toolkit is not None and pytorch is not None and toolkit[:2] == pytorch[:2]
