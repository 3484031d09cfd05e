# finding: other-form
def what_grows():
    return 2, 13, "graph", "total = total + loss.item()"
