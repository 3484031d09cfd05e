# finding: clock-stopped-early
def timing_order(steps):
    runs = ["run"] * steps.count("run")
    warm = ["warm up"] * steps.count("warm up")
    return [*warm, "synchronize", "start the clock", *runs, "stop the clock", "synchronize"]
