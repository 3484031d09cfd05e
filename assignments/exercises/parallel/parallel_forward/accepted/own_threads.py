import torch, threading
from torch.nn.parallel import replicate
def parallel_forward(module, x, devices):
    parts = torch.chunk(x, len(devices), dim=0)
    replicas = replicate(module, [d.index for d in devices][:len(parts)])
    outs = [None]*len(parts)
    def run(i):
        outs[i] = replicas[i](parts[i].to(devices[i]))
    ts=[threading.Thread(target=run,args=(i,)) for i in range(len(parts))]
    [t.start() for t in ts]; [t.join() for t in ts]
    return torch.concat([o.to(devices[0]) for o in outs])
