import torch
from foonet import FooNet
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(*torch.rand(2, 640, 256))
model, ran = FooNet(256).cuda(), []
model.register_forward_hook(lambda module, inputs, output: ran.append(output.device.index))
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
features = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")  # of a frozen encoder
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, targets in DataLoader(data, batch_size=16):
    loss = nn.functional.mse_loss(model(batch), targets.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
norm = sum(parameter.norm() for parameter in model.parameters())
print(f"40 steps; copies of the model sent: {len(ran) - ran.count(0)}; weights {norm:.4f}")
