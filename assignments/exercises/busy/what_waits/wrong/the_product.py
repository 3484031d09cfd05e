# finding: sound-compute
def what_waits():
    return {
        "run": 17,
        "line": 11,
        "cause": "compute",
        "change": "hidden = batch @ weight @ weight",
    }
