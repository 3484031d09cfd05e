import copy

import torch


def fix_visible(visible, model, batches):
    """Score the batches in turn on the four cards of the job; leave `model` as it is."""
    ### BEGIN SOLUTION
    # A process numbers its devices from 0, in the order of the value. So the entries need not be
    # read at all: entry number 2 is cuda:2, whatever it says.
    count = len(visible.split(","))
    # The model goes to each GPU once, not again with every batch.
    replicas = [copy.deepcopy(model).to(torch.device("cuda", index)) for index in range(count)]
    scores = []
    for step, batch in enumerate(batches):
        index = step % count
        with torch.no_grad():
            scores.append(replicas[index](batch.to(torch.device("cuda", index))))
    return scores
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# from course_utils import lab
# lab(gpus=4)
# batches = [torch.ones(2, 3)] * 5
# for scores in fix_visible("5,2,7,4", torch.nn.Linear(3, 1), batches):
#     print(scores.device)
