# finding: line-right
def hang():
    return {
        "run": 17,
        "line": 24,
        "cause": "other order",
        "change": "calls = [total, agree]",
    }
