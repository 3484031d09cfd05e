# finding: nothing-returned
def what_grows():
    print({"run": 2, "line": 12, "cause": "graph", "change": "total = total + loss.item()"})
