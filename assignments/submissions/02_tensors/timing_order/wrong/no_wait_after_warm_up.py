# finding: warm-up-still-running
def timing_order(steps):
    runs = ["run"] * steps.count("run")
    warm = ["warm up"] * steps.count("warm up")
    return [*warm, "start the clock", "synchronize", *runs, "synchronize", "stop the clock"]
