// SPDX-License-Identifier: GPL-2.0-only
//
// Int64Map: a hash table for 64-bit numbers that come as a trace gives them, dense or wild.
//
// Open addressing, linear probing, at most 3/4 full; erasing leaves no graves. A Value says itself
// that its slot is unused: a default-constructed one is empty(), and one that is kept must not be.
//
// Cost: sizeof(Value) + 8 bytes a slot. Pointers to values live until the next insertion or
// erasure. Threading: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ioflux {

template <typename Value>
class Int64Map {
 public:
  Value* Find(std::int64_t key) {
    if (size_ == 0) return nullptr;
    Slot& slot = slots_[SlotOf(key)];
    return slot.value.empty() ? nullptr : &slot.value;
  }

  /// The value of `key`; an empty one, which the caller must fill at once, if there is none yet.
  Value& At(std::int64_t key) {
    if ((size_ + 1) * 4 > slots_.size() * 3) Grow();
    Slot& slot = slots_[SlotOf(key)];
    if (slot.value.empty()) {
      slot.key = key;
      ++size_;
    }
    return slot.value;
  }

  /// `key` must be there.
  void Erase(std::int64_t key) {
    std::size_t hole = SlotOf(key);
    --size_;
    // Slots behind the hole move up unless that would put them before their home.
    for (std::size_t next = Next(hole); !slots_[next].value.empty(); next = Next(next)) {
      const std::size_t home = HomeOf(slots_[next].key);
      if (((next - home) & Mask()) < ((next - hole) & Mask())) continue;
      slots_[hole] = std::move(slots_[next]);
      hole = next;
    }
    slots_[hole].value = Value{};
  }

  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (!slot.value.empty()) visit(slot.key, slot.value);
    }
  }

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::int64_t key = 0;
    Value value{};
  };

  std::size_t Mask() const { return slots_.size() - 1; }
  std::size_t Next(std::size_t slot) const { return (slot + 1) & Mask(); }

  std::size_t HomeOf(std::int64_t key) const {
    // The finish of splitmix64: numbers in a row, with a stride or with zeros below spread alike.
    auto bits = static_cast<std::uint64_t>(key);
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>(bits ^ (bits >> 31)) & Mask();
  }

  // Of `key`, or the unused one it would go to.
  std::size_t SlotOf(std::int64_t key) const {
    std::size_t slot = HomeOf(key);
    while (!slots_[slot].value.empty() && slots_[slot].key != key) slot = Next(slot);
    return slot;
  }

  void Grow() {
    constexpr std::size_t kFirstSlots = 16;
    std::vector<Slot> old(slots_.empty() ? kFirstSlots : 2 * slots_.size());
    std::swap(old, slots_);
    for (Slot& slot : old) {
      if (!slot.value.empty()) slots_[SlotOf(slot.key)] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace ioflux
