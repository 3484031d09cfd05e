# finding: keeps-little
def what_grows():
    return {
        "run": 64,
        "line": 11,
        "cause": "copies",
        "change": "best = []",
    }
