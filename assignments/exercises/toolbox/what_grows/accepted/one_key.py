def what_grows():
    found = dict(run=3, line=10, cause="keys")
    found["change"] = "    latest = {step: batch}"
    return found
