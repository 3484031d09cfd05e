# finding: overlap-compared
def shares_storage(a, b):
    def span(x):
        return x.data_ptr(), x.data_ptr() + x.numel() * x.element_size()

    (a_first, a_end), (b_first, b_end) = span(a), span(b)
    return a.device == b.device and a_first < b_end and b_first < a_end
