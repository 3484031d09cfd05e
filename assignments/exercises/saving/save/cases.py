"""Cases of `save` and `resume`: runs that are killed at any moment, and go on here or elsewhere."""

from exercise_kit import Look

looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("ends", "cannot-go-on", says="the runs end with"),
    Look("file", "state-incomplete", says="in the end there is"),
    Look("begins", "begins-again", says="the runs begin with epoch"),
    Look("epochs", "begins-again", says="epochs in the log"),
    Look("steps", "optimizer-not-restored", says="steps that the optimizer knows of"),
    Look("weights", "not-the-same-run", says="weights"),
)

ERRORS = {
    "on a CUDA device": "no-map-location",
    "No CUDA GPUs": "no-map-location",
    "RNG state must be": "generator-moved",
    "'NoneType' has no len": "log-not-returned",
}
"""What the program says that goes on from a checkpoint."""


def explain(fact, seen, right, data):
    resumed = data["runs"][-1]["words"]
    if fact == "error":
        found = (name for text, name in ERRORS.items() if text in seen)
        return "a-traceback" if "--batch=6" in resumed else next(found, None)
    if fact == "ends":
        if "--batch=6" in resumed:
            return "other-settings-accepted"
        if len(right) == 1:
            return "no-file-refused"
        # Stopped while it wrote: what is left cannot be read. Or there was nothing to rename, so
        # that each save went over the old one.
        stop = data["runs"][0].get("stop", {})
        return "torn-file" if "most" in stop or "event" in stop else None
    if fact == "file" and seen == "no checkpoint":
        return "no-checkpoint"
    if fact == "file" and "UnpicklingError" in seen:
        return "not-by-torch"
    if fact == "begins" and "event" in data["runs"][0].get("stop", {}):
        return "old-one-removed"
    return None


def cases(rng):
    words = ["--epochs=3", "--batch=12"]

    def begun(after=1, device="cpu", **stop):
        there = {"words": [*words, f"--device={device}"], "devices": int(device != "cpu")}
        return {**there, "stop": {"after": f"epoch {after}:", **stop}}

    on = {"words": [*words, "--resume"]}
    on_cuda = {"words": [*on["words"], "--device=cuda"], "devices": 1}
    other = {"words": ["--epochs=3", "--batch=6", "--resume"]}
    killed = {"signal": 9}
    rows = [
        ("there is no checkpoint yet", on),
        (
            "killed after an epoch, as in the task",
            begun(rng.randint(1, 2), **killed),
            on,
        ),
        ("killed in the middle of a save", begun(most=rng.randint(2, 60) * 1000), on),
        ("killed just before a file gets its name", begun(event="os.rename"), on),
        (
            "begun on a GPU, on without one, and on a GPU again",
            begun(device="cuda", **killed),
            {**on, "stop": {"after": "epoch 2:", **killed}},
            on_cuda,
        ),
        ("on with another batch", begun(**killed), other),
    ]
    return [(title, {"runs": [*runs], "plain": words}) for title, *runs in rows]
