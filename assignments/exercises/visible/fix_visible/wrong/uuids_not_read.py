# finding: name-read
import copy

import torch


def fix_visible(visible, model, batches):
    cards = [int(entry) for entry in visible.split(",")]
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index, card in enumerate(cards)]
    with torch.no_grad():
        return [replicas[n % 4](batch.to(f"cuda:{n % 4}")) for n, batch in enumerate(batches)]
