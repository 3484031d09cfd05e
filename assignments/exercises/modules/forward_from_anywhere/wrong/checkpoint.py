# finding: checkpoint-asked
def forward_from_anywhere(module, x, back):
    device = next((tensor.device for tensor in module.state_dict().values()), x.device)
    result = module(x.to(device))
    return result.to(x.device) if back else result
