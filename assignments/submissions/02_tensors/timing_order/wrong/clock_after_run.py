# finding: clock-not-started
def timing_order(steps):
    runs = ["run"] * steps.count("run")
    warm = ["warm up"] * steps.count("warm up")
    return [*warm, "synchronize", *runs, "start the clock", "synchronize", "stop the clock"]
