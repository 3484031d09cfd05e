# finding: other-line
def what_grows():
    return {
        "run": 5,
        "line": 15,
        "cause": "copies",
        "change": "used = used",
    }
