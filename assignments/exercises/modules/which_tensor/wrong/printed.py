# finding: nothing-returned
def which_tensor():
    print({"run": 17, "line": 23, "cause": "loss", "change": "pass"})
