# finding: computed-elsewhere
import copy

import torch


def mend_visible(visible, model, batches):
    with torch.no_grad():
        return [model(batch).to(f"cuda:{n % 4}") for n, batch in enumerate(batches)]
