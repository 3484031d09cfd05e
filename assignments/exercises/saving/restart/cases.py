"""Cases of `restart`: where the file comes from, and where training goes on."""

import random
from typing import Any

from course_utils.checking.drawing import one_gpu
from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="a model, an optimizer and a number"),
    Look("wrapper", "model-wrapped", says="the model is inside of", wants="the model alone"),
    Look("epochs", "other-epochs", says="number of finished epochs"),
    Look("device", "model-elsewhere", says="device of the model"),
    Look("dtypes", "dtype-changed", says="dtypes of the parameters"),
    Look("weights", "weights-new", says="weights of the model"),
    Look("trains", "trains-another", says="parameters of the optimizer"),
    Look("states", "optimizer-new", says="states of the optimizer"),
    Look("places", "states-left", says="devices of the averages in the optimizer"),
    Look(
        "generator",
        lambda seen, right, data: "generator-used" if "build" in seen else "generator-other",
        says="state of the generator",
    ),
    Look("frozen", "frozen", says="parameters that are not trained"),
    Look("mode", "mode-changed", says="the model is in"),
    Look("step", "step-fails", says="the next epoch ended with", wants="no error"),
    Look("difference", "other-weights", tolerance=0, says="difference of weights an epoch later"),
)
raises = (
    Raises("tag-followed", "RuntimeError", "Attempting to deserialize object"),
    Raises("generator-of-a-gpu", "RuntimeError", "RNG state is wrong size"),
    Raises("generator-moved", "TypeError", "RNG state must be"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the device that saved, the device that goes on, and epochs."""
    gpu = one_gpu(rng)

    def case(saved: str, device: str, gpus: int = 4, epochs: int = 2) -> dict[str, Any]:
        seed = rng.randint(1, 10**6)
        return {"saved": saved, "device": device, "gpus": gpus, "epochs": epochs, "seed": seed}

    return [
        ("from a GPU to the same one", case(gpu, gpu)),
        ("from GPU 3 to a machine with two GPUs", case("cuda:3", "cuda:1", gpus=2)),
        ("from GPU 3 to a machine without a GPU", case("cuda:3", "cpu", gpus=0)),
        ("from the CPU to a GPU", case("cpu", gpu, epochs=1)),
        ("from the CPU to the CPU", case("cpu", "cpu", epochs=3)),
    ]
