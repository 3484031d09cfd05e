# finding: other-run
def what_grows():
    return {
        "run": 0,
        "line": 12,
        "cause": "graph",
        "change": "total = 0",
    }
