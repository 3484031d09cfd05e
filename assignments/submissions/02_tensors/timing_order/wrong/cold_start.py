# finding: warm-up-too-late
def timing_order(steps):
    runs = ["run"] * steps.count("run")
    warm = ["warm up"] * steps.count("warm up")
    return ["start the clock", *warm, "synchronize", *runs, "synchronize", "stop the clock"]
