# finding: input-elsewhere
def forward_from_anywhere(module, x, back):
    result = module(x.cuda())
    return result.to(x.device) if back else result
