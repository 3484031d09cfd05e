def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": "high = scores > 7; kept = kept + (scores * high).sum()",
    }
