# finding: nothing-returned
def what_grows():
    print({"run": 2, "line": 13, "cause": "graph", "change": "total = total + loss.item()"})
