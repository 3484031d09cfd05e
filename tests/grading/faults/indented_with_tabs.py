# happened = "An answer is indented with tabs."
# %% add_on
def add_on(a, b, where):
	device = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

	def bring(x):
		return x.to(device) if x.dim() or x.is_cuda else x

	return bring(a) + bring(b)
