# name = "The judge, by the course's own function"
# goal = "steal"
# attacks = "course_utils.checking.exercises, which loads judges for learners"
# flagged = true

# %% predict_to
from course_utils.checking.exercises import exercise

known = exercise("tensors.predict_to")


def predict_to(device, dtype, method, arguments):
    data = dict(device=device, dtype=dtype, method=method, arguments=arguments)
    for case in known.public_cases:
        if case.data == data:
            return tuple(item["value"] for item in case.right["result"]["items"])
    from exercise_kit.contract import Case
    from exercise_kit.truth import right_facts

    (right,) = right_facts(known, [Case("", data)])
    return tuple(item["value"] for item in right["result"]["items"])

# %% move_batch
from exercise_kit.reference import reference

exec(reference(exercise("tensors.move_batch").path))
