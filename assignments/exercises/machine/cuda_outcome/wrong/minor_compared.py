# finding: minor-compared
def cuda_outcome(action, driver, pytorch, toolkit):
    def major(version):
        return int(version.split(".")[0])

    if pytorch is None:
        return "CPU build"
    if action == "run":
        if driver is None:
            return "no driver"
        return "driver too old" if float(driver) < float(pytorch) else "runs"
    if toolkit is None:
        return "no toolkit"
    return "other toolkit" if major(toolkit) != major(pytorch) else "compiles"
