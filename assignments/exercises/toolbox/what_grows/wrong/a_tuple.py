# finding: other-form
def what_grows():
    return 2, 12, "graph", "total = total + loss.item()"
