# finding: computed-elsewhere
import copy

import torch


def mend_visible(visible, model, batches):
    replica = copy.deepcopy(model).to("cuda:0")
    with torch.no_grad():
        return [replica(batch.to("cuda:0")).to(f"cuda:{n % 4}") for n, batch in enumerate(batches)]
