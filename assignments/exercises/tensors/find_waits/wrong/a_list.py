# finding: other-form
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": ["pass"],
    }
