# finding: first-id-taken
import torch
from torch import nn
def wrap(model, ids):
    n=torch.cuda.device_count()
    if ids is None: ids=list(range(n))
    ids=[i for i in ids if i<n]
    if not ids: return model
    dev={t.device for t in [*model.parameters(),*model.buffers()]}
    main=ids[0]
    if len(dev)==1 and list(dev)[0].index in ids: main=list(dev)[0].index
    model.to(f"cuda:{main}")
    return nn.DataParallel(model,[main]+[i for i in ids if i!=main]) if len(ids)>1 else model
