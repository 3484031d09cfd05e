def starved():
    return {
        "run": 1,
        "line": 4,
        "cause": "workers restarted",
        "change": 'persistent_workers = True',
    }
