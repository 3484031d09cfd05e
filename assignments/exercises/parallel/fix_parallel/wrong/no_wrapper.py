# finding: other-gpus
import torch


def fix_parallel(model, batches):
    model.to("cuda:0")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = model(batch.to("cuda:0"))
        loss = model.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.state_dict()
