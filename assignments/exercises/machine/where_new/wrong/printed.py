# finding: nothing-returned
def where_new(steps):
    for step in steps:
        if step == "new":
            print("cpu")
