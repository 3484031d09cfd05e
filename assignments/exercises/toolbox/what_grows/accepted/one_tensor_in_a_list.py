def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best.append(weight)",
    }
