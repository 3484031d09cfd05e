// The kernels of frequent operators, compiled: what `specialise.py` generates, without Python around
// each call. Optional; `helper.py` builds and loads it.
//
// A kernel turns tensors of a card into CPU tensors over the same bytes, lets the CPU's kernel
// compute, turns results into tensors of the card, and books time and memory with the card's own
// Python functions. Whatever is unusual about a call (no open card, devices that differ, a lazy
// tensor, an index out of range) sends it to the Python kernel of the operator, which does it from
// the beginning. That one is registered for a device type nobody has, see `SLOW`.

#include <torch/csrc/jit/python/pybind_utils.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/library.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using c10::IValue, torch::jit::Stack;

const c10::DispatchKeySet CPU(c10::DispatchKey::CPU);
const c10::DispatchKeySet SLOW(c10::DispatchKey::VE);
constexpr int64_t NO_CARD = -1;

// The books of one card: Python functions, null while it is closed. Guarded by the GIL.
struct Books {
  PyObject* run = nullptr;   // (name, bytes, floating point operations) -> None
  PyObject* lend = nullptr;  // (bytes) -> lease
};
std::array<Books, 64> books;  // as MAX_DEVICES in hardware/profiles.py
std::atomic<uint64_t> open_cards{0};  // a bit for each, to be read without the GIL

bool is_open(int64_t card) {
  return (open_cards.load(std::memory_order_acquire) >> card & 1) != 0;
}

// What keeps the bytes of a retagged tensor: the storage they belong to, and the card's lease.
struct Owner {
  c10::Storage storage;
  PyObject* lease;
};

void release(void* pointer) {
  std::unique_ptr<Owner> owner(static_cast<Owner*>(pointer));
  if (owner->lease != nullptr && Py_IsInitialized()) {
    py::gil_scoped_acquire gil;
    Py_DECREF(owner->lease);
  }
}

// A tensor over the bytes of `tensor` on another device. Takes over the reference `lease`.
at::Tensor retagged(const at::Tensor& tensor, c10::Device device, PyObject* lease = nullptr) {
  const c10::Storage& storage = tensor.storage();
  auto* owner = new Owner{storage, lease};
  c10::DataPtr bytes(storage.unsafeGetStorageImpl()->mutable_data(), owner, &release, device);
  auto result = at::detail::make_tensor<c10::TensorImpl>(
      c10::Storage(c10::make_intrusive<c10::StorageImpl>(
          c10::StorageImpl::use_byte_size_t(), storage.nbytes(), std::move(bytes), nullptr, false)),
      c10::DispatchKeySet(device.is_cpu() ? c10::DispatchKey::CPU : c10::DispatchKey::CUDA),
      tensor.dtype());
  auto* impl = result.unsafeGetTensorImpl();
  impl->set_storage_offset(tensor.storage_offset());
  impl->set_sizes_and_strides(tensor.sizes(), tensor.strides());
  return result;
}

bool is_plain(const at::Tensor& tensor) {
  return tensor.layout() == at::kStrided && tensor.has_storage() && !tensor.is_conj() &&
      !tensor.is_neg() && !tensor._is_zerotensor();
}

// Types that CUDA's products do not take; and one that the Python kernel computes in float32.
bool is_refused(at::ScalarType type) {
  return at::isIntegralType(type, true) || at::isFloat8Type(type) || type == at::kBFloat16;
}

// One call on its way to the CPU.
struct Call {
  int64_t card = NO_CARD;
  size_t nbytes = 0;

  // Replace a tensor by its CPU twin; false for one that the Python kernel must judge.
  bool convert(at::Tensor& tensor) {
    if (!tensor.defined()) return true;
    if (!is_plain(tensor)) return false;
    if (!tensor.is_cuda()) return tensor.unsafeGetTensorImpl()->is_wrapped_number();
    if (card == NO_CARD) card = tensor.get_device();
    if (card != tensor.get_device() || !is_open(card)) return false;
    nbytes += tensor.nbytes();
    tensor = retagged(tensor, c10::Device(c10::kCPU));
    return true;
  }

  bool convert(IValue& value) {
    if (value.isTensor()) {
      at::Tensor tensor = value.toTensor();
      if (!convert(tensor)) return false;
      value = std::move(tensor);
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> twins;
      for (at::Tensor tensor : value.toTensorList()) {
        if (!tensor.is_cuda() || !convert(tensor)) return false;
        twins.push_back(std::move(tensor));
      }
      value = std::move(twins);
    }
    return true;
  }
};

class Kernel : public c10::OperatorKernel {
 public:
  // `flops`: (arguments) -> floating point operations of a call, or None where there is no such
  // function. Both are kept for good: kernels live as long as the process.
  // `no_integers`: CUDA has no such kernel for integers and 8-bit floats. This, and bfloat16, is for
  // the Python kernel.
  Kernel(py::str name, py::object flops, bool no_integers)
      : name_(name.release().ptr()),
        flops_(flops.is_none() ? nullptr : flops.release().ptr()),
        no_integers_(no_integers) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
    const auto& returns = op.schema().returns();
    const size_t first = stack->size() - op.schema().arguments().size();
    const Stack given(stack->begin() + first, stack->end());
    Call call;
    bool usual = true;
    for (size_t k = first; usual && k < stack->size(); ++k) usual = call.convert((*stack)[k]);
    // What is written is the first argument, and the result if there is one.
    const auto* alias = op.schema().arguments()[0].alias_info();
    const bool writes = alias != nullptr && alias->isWrite();
    usual = usual && call.card != NO_CARD && !(writes && overlaps(given)) &&
        !(no_integers_ && is_refused(given[0].toTensor().scalar_type()));
    int64_t flops = 0;
    if (usual) {
      if (flops_ != nullptr) flops = count(*stack, first);
      try {
        op.redispatchBoxed(CPU, stack);
      } catch (const c10::Error&) {  // CUDA may take it, or refuses it in its own words
        usual = false;
      }
    }
    if (!usual) {
      stack->resize(first);
      stack->insert(stack->end(), given.begin(), given.end());
      return op.redispatchBoxed(SLOW, stack);
    }
    if (writes) {  // bytes that are read and written are moved twice
      book(call, call.nbytes + bytes(given[0]), flops);
      if (!returns.empty()) stack->back() = given[0];
      return;
    }
    for (size_t k = first; k < stack->size(); ++k) call.nbytes += bytes((*stack)[k]);
    book(call, call.nbytes, flops);
    for (size_t k = first; k < stack->size(); ++k) place(call.card, (*stack)[k]);
  }

 private:
  // Whether the first argument may overlap with others. The CPU twins would not show it.
  static bool overlaps(const Stack& given) {
    if (!given[0].isTensor()) return false;
    const at::Tensor& target = given[0].toTensor();
    for (size_t k = 1; k < given.size(); ++k) {
      if (!given[k].isTensor() || !given[k].toTensor().defined()) continue;
      const at::Tensor& source = given[k].toTensor();
      if (source.has_storage() && !source.is_same(target) &&
          source.storage().data() == target.storage().data()) {
        return true;
      }
    }
    return false;
  }

  static size_t bytes(const IValue& value) {
    size_t total = 0;
    if (value.isTensor() && value.toTensor().defined()) total = value.toTensor().nbytes();
    if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) total += tensor.nbytes();
    }
    return total;
  }

  int64_t count(const Stack& stack, size_t first) const {
    py::gil_scoped_acquire gil;
    py::tuple arguments(stack.size() - first);
    for (size_t k = first; k < stack.size(); ++k) {
      arguments[k - first] = torch::jit::toPyObject(stack[k]);
    }
    return py::cast<int64_t>(py::handle(flops_)(*arguments));
  }

  void book(const Call& call, size_t nbytes, int64_t flops) const {
    py::gil_scoped_acquire gil;
    if (books[call.card].run == nullptr) return;  // closed while the kernel ran
    const py::int_ moved(nbytes), computed(flops);
    std::array<PyObject*, 3> arguments{name_, moved.ptr(), computed.ptr()};
    auto done = py::reinterpret_steal<py::object>(
        PyObject_Vectorcall(books[call.card].run, arguments.data(), arguments.size(), nullptr));
    if (!done) throw py::error_already_set();
  }

  static at::Tensor placed(int64_t card, const at::Tensor& tensor) {
    py::object lease;
    py::gil_scoped_acquire gil;
    const size_t nbytes = tensor.storage().nbytes();
    if (nbytes != 0 && books[card].lend != nullptr) {
      lease = py::reinterpret_steal<py::object>(
          PyObject_CallOneArg(books[card].lend, py::int_(nbytes).ptr()));
      if (!lease) throw py::error_already_set();
    }
    c10::Device device(c10::kCUDA, static_cast<c10::DeviceIndex>(card));
    return retagged(tensor, device, lease.release().ptr());
  }

  static void place(int64_t card, IValue& value) {
    if (value.isTensor() && value.toTensor().defined()) {
      value = placed(card, value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> there;
      for (const at::Tensor& tensor : value.toTensorVector()) {
        there.push_back(placed(card, tensor));
      }
      value = std::move(there);
    }
  }

  PyObject* name_;
  PyObject* flops_;
  bool no_integers_;
};

// A view computes sizes and strides only: the CPU's kernel does that for a tensor of any device.
void view(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  op.redispatchBoxed(open_cards.load(std::memory_order_acquire) != 0 ? CPU : SLOW, stack);
}

void close_all() {
  open_cards = 0;
  for (Books& card : books) {
    Py_CLEAR(card.run);
    Py_CLEAR(card.lend);
  }
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.def("register", [](const std::vector<std::tuple<std::string, py::object, bool>>& kernels,
                            const std::vector<std::string>& views) {
    // For the life of the process, as the Python kernels of the CPU build.
    auto& library = *new torch::Library(
        torch::Library::IMPL, "aten", c10::DispatchKey::CUDA, __FILE__, __LINE__);
    for (const auto& [name, flops, no_integers] : kernels) {
      auto kernel = std::make_unique<Kernel>(name.substr(0, name.find('.')), flops, no_integers);
      library.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunctor(std::move(kernel)));
    }
    for (const auto& name : views) {
      library.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunction<&view>());
    }
  });
  module.def("open", [](size_t card, py::object run, py::object lend) {
    Py_XSETREF(books.at(card).run, run.release().ptr());
    Py_XSETREF(books.at(card).lend, lend.release().ptr());
    open_cards |= uint64_t{1} << card;
  });
  module.def("close", &close_all);
}
