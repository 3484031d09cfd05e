def what_grows():
    return {
        "run": 3,
        "line": 11,
        "cause": "keys",
        "change": "latest.clear(); latest.update({step: batch})",
    }
