def cuda_outcome(action, driver, pytorch, toolkit):
    majors = {name: value and int(value[: value.index(".")])
              for name, value in (("d", driver), ("p", pytorch), ("t", toolkit))}
    running = action == "run"
    lines = [
        (pytorch is None, "CPU build"),
        (running and driver is None, "no driver"),
        (running and (majors["d"] or 0) < (majors["p"] or 0), "driver too old"),
        (running, "runs"),
        (toolkit is None, "no toolkit"),
        (majors["t"] != majors["p"], "other toolkit"),
        (True, "compiles"),
    ]
    return next(word for applies, word in lines if applies)
