def hang():
    return {
        "run": 4,
        "line": 23,
        "cause": "one rank alone",
        "change": "dist.reduce(loss.detach(), dst=0)",
    }
