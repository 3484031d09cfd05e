# finding: keeps-little
def what_grows():
    return {
        "run": 17,
        "line": 14,
        "cause": "graph",
        "change": "total = total + 1",
    }
