from itertools import chain


def forward_from_anywhere(module, x, back):
    places = {tensor.device for tensor in chain(module.parameters(), module.buffers())}
    if not places or x.device in places:
        return module(x)
    (place,) = places
    result = module(x.to(place))
    return result.to(x.device) if back else result
