# finding: part-met-other-device
import torch
from torch.func import functional_call
def parallel_forward(module, x, devices):
    outs=[]
    for p,d in zip(x.chunk(len(devices)),devices):
        w={n:q.to(d) for n,q in module.named_parameters()}
        outs.append(functional_call(module,w,p.to(d)).to(devices[0]))
    return torch.cat(outs)
