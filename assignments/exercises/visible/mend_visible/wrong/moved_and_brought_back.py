# finding: input-changed
import torch


def mend_visible(visible, model, batches):
    scores = [None] * len(batches)
    for n in range(4):
        gpu = torch.device("cuda", n)
        model.to(gpu)
        with torch.no_grad():
            for i in range(n, len(batches), 4):
                scores[i] = model(batches[i].to(gpu))
    model.to("cpu")
    return scores
