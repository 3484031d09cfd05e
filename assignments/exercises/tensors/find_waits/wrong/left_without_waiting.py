# finding: other-places
def find_waits():
    return {
        "run": 21,
        "line": 15,
        "cause": "number",
        "change": "total = total + loss.to('cpu', non_blocking=True)",
    }
