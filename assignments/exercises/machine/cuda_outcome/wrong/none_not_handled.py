# outcome: raised
def cuda_outcome(action, driver, pytorch, toolkit):
    driver, pytorch, toolkit = (int(v.split(".")[0]) for v in (driver, pytorch, toolkit))
    if action == "run":
        return "driver too old" if driver < pytorch else "runs"
    return "compiles" if toolkit == pytorch else "other toolkit"
