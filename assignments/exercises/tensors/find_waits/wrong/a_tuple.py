# finding: other-form
def find_waits():
    return 17, 15, "size", "pass"
