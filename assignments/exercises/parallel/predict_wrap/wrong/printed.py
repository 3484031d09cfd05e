# finding: nothing-returned
def predict_wrap(wraps, gpus, batch, calls):
    keys = ["module." * wraps + "scale", "module." * wraps + "seen"]
    print({"keys": keys, "calls": calls, "seen": 1, "shape": []})
