# finding: toolkit-to-run
def cuda_outcome(action, driver, pytorch, toolkit):
    def major(version):
        return int(version.split(".")[0])

    if pytorch is None:
        return "CPU build"
    if action == "run":
        if driver is None:
            return "no driver"
        if major(driver) < major(pytorch):
            return "driver too old"
    if toolkit is None:
        return "no toolkit"
    if major(toolkit) != major(pytorch):
        return "other toolkit"
    return "runs" if action == "run" else "compiles"
