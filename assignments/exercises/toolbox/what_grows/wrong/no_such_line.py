# finding: other-line
def what_grows():
    return {
        "run": 5,
        "line": 99,
        "cause": "copies",
        "change": "pass",
    }
