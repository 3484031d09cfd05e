def what_grows():
    found = dict(run=3, line=11, cause="keys")
    found["change"] = "    latest = {step: batch}"
    return found
