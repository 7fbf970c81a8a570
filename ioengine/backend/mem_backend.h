// SPDX-License-Identifier: GPL-2.0-only
//
// MemBackend: no storage at all. Every operation succeeds at once and no byte is copied, so a run
// on it shows what the tool itself costs.
#pragma once

#include "ioengine/backend/backend.h"

namespace ioflux {

class MemBackend : public Backend {
 public:
  IoOutcome Open(const BackendTarget&, OpenRequest, BackendHandle* handle) override {
    *handle = 0;
    return {};
  }
  IoOutcome Read(BackendHandle, std::int64_t, std::int64_t length_bytes, char*) override {
    return {length_bytes, 0};
  }
  IoOutcome Write(BackendHandle, std::int64_t, std::int64_t length_bytes, const char*) override {
    return {length_bytes, 0};
  }
  IoOutcome Sync(BackendHandle) override { return {}; }
  IoOutcome Close(BackendHandle) override { return {}; }
  IoOutcome Stat(const BackendTarget&, std::int64_t* size_bytes) override {
    *size_bytes = 0;
    return {};
  }
  IoOutcome Get(const BackendTarget&, std::int64_t, std::int64_t length_bytes, char*) override {
    return {length_bytes, 0};
  }
  IoOutcome Put(const BackendTarget&, std::int64_t length_bytes, const char*) override {
    return {length_bytes, 0};
  }
  IoOutcome Head(const BackendTarget&) override { return {}; }
  IoOutcome Delete(const BackendTarget&) override { return {}; }
  bool MovesData() const override { return false; }
  std::vector<Limitation> Limitations() const override {
    return {
        {"mem engine: no storage is touched and no data is copied; figures are the tool's own "
         "cost"}};
  }
  Result<void> MakeParents(const BackendTarget&) override { return {}; }
};

}  // namespace ioflux
