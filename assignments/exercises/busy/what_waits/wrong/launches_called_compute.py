# finding: other-cause
def what_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": "compute",
        "change": "hidden.mul_(2)",
    }
