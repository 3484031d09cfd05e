# name = "The judge, by the course's own function"
# goal = "steal"
# attacks = "course_utils.checking.exercises, which loads judges for learners"
# flagged = true

# %% predict_to
from course_utils.checking.exercises import exercise

judge = exercise("tensors.predict_to").judge
oracle = judge.oracle


def predict_to(device, dtype, method, arguments):
    return oracle(device=device, dtype=dtype, method=method, arguments=arguments)

# %% move_batch
from course_utils.checking.reference import reference

exec(reference(exercise("tensors.move_batch").path))
