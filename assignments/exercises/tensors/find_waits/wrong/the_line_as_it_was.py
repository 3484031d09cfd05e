# finding: line-as-it-was
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": "number",
        "change": "    total = total + float(loss)",
    }
