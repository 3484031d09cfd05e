# finding: nothing-returned
def find_waits():
    print({"run": 17, "line": 15, "cause": "size", "change": "pass"})
