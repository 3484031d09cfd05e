# finding: other-places
def find_waits():
    return {
        "run": 66,
        "line": 11,
        "cause": "copy",
        "change": "shifts = shifts + shift",
    }
