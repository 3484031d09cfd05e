"""Cases of `train_epoch`: epochs on the CPU and on GPUs, with images left over, and in company."""

from exercise_kit import Look

looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("ends", "raised-in-the-program", says="the program ended with"),
    Look("devices", "left-behind", says="GPUs that hold tensors"),
    Look("mode", "not-in-training-mode", says="mode of the model while it is trained"),
    Look("steps", "steps-missing", says="steps of training"),
    Look(
        "losses", "other-training", tolerance=0.005, says="losses, as multiples of the right ones"
    ),
    Look("weights", "other-training", says="weights"),
    Look("waits", "waits-in-every-step", most=True, says="waits of the program for the GPU"),
)

ERRORS = {
    "NoneType.__format__": "nothing-returned",
    "on the same device": "left-behind",
    "not compiled with CUDA": "needs-a-gpu",
    "No CUDA GPUs": "needs-a-gpu",
    "Expected a cuda device": "needs-a-gpu",
    "does not require grad": "no-gradients",
}
"""What the program says of an epoch that does something else."""


def explain(fact, seen, right, data):
    if fact == "error":
        return next((name for text, name in ERRORS.items() if text in seen), None)
    if fact == "losses" and isinstance(seen, str):
        return "not-a-number"
    if fact == "losses" and "twin" in data["runs"][0]:
        return "one-process-only"
    return None


def cases(rng):
    def run(batch, name, devices, **more):
        words = ["--batch", f"{batch}", "--epochs", "2", "--device", name]
        return {"runs": [{"words": words, "devices": devices, **more}], "plain": words[:4]}

    return [
        ("the CPU", run(8, "cpu", 0)),
        ("one GPU and three batches in an epoch, as in the task", run(8, "cuda", 1)),
        ("a GPU that is not the current one", run(8, f"cuda:{rng.randint(1, 3)}", 4)),
        ("images that are left over", run(rng.choice([7, 10]), "cuda", 1)),
        ("one of two processes, whose losses are equal", run(8, "cpu", 0, twin=True)),
    ]
