# finding: other-result
def find_waits():
    return {
        "run": 21,
        "line": 15,
        "cause": "number",
        "change": "total = total + step * 4.0",
    }
