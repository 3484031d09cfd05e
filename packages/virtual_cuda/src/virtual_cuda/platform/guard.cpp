// A device guard for up to 64 virtual GPUs. The one that torch brings (c10/core/impl/
// FakeGuardImpl.h) keeps tables of eight, and reads past them for a ninth. Optional; `guard.py`
// builds and loads it.

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <array>

namespace {

using c10::Device, c10::DeviceIndex, c10::DeviceType, c10::Stream, c10::StreamId;

constexpr DeviceIndex CARDS = 64;  // as MAX_DEVICES in hardware/profiles.py

thread_local DeviceIndex current_device = 0;
thread_local std::array<StreamId, CARDS> current_streams{};

DeviceIndex checked(DeviceIndex index) {
  TORCH_CHECK(0 <= index && index < CARDS, "There is no virtual GPU ", static_cast<int>(index));
  return index;
}

struct Guard final : c10::impl::DeviceGuardImplInterface {
  DeviceType type() const override { return DeviceType::CUDA; }
  Device getDevice() const override { return {DeviceType::CUDA, current_device}; }
  void setDevice(Device device) const override { current_device = checked(device.index()); }
  void uncheckedSetDevice(Device device) const noexcept override {
    current_device = device.index();
  }
  Device exchangeDevice(Device device) const override {
    const Device before = getDevice();
    setDevice(device);
    return before;
  }
  Stream getStream(Device device) const override {
    return Stream(Stream::UNSAFE, device, current_streams[checked(device.index())]);
  }
  Stream exchangeStream(Stream stream) const override {
    const Stream before = getStream(stream.device());
    current_streams[stream.device_index()] = stream.id();
    return before;
  }
  DeviceIndex deviceCount() const noexcept override { return CARDS; }

  // As torch's own: the virtual clock keeps events, in Python.
  void record(void**, const Stream&, const DeviceIndex, const c10::EventFlag) const override {}
  void block(void*, const Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void virtual_cuda_use_guard() {
  c10::impl::registerDeviceGuard(DeviceType::CUDA, new Guard);  // for the life of the process
}
