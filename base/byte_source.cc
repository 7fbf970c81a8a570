// SPDX-License-Identifier: GPL-2.0-only
#include "base/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace ioflux {
namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 20;

// The stored bytes, from a descriptor or from memory.
class StoredBytes {
 public:
  StoredBytes(int descriptor, bool owned, std::string name)
      : descriptor_(descriptor), owned_(owned), name_(std::move(name)) {}
  StoredBytes(std::string_view memory, std::string name)
      : memory_(memory), name_(std::move(name)) {}
  StoredBytes(const StoredBytes&) = delete;
  StoredBytes& operator=(const StoredBytes&) = delete;
  ~StoredBytes() {
    if (owned_) close(descriptor_);
  }

  const std::string& name() const { return name_; }

  Result<std::size_t> Read(char* buffer, std::size_t capacity) {
    if (descriptor_ < 0) {
      const std::size_t count = std::min(capacity, memory_.size());
      if (count != 0) std::memcpy(buffer, memory_.data(), count);
      memory_.remove_prefix(count);
      return count;
    }
    for (;;) {
      const ssize_t got = read(descriptor_, buffer, capacity);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return SystemError("cannot read it", errno, {.path = name_});
    }
  }

 private:
  int descriptor_ = -1;
  bool owned_ = false;
  std::string_view memory_;
  std::string name_;
};

Error Damaged(const std::string& name, std::string what) {
  return Error{.kind = ErrorKind::kInput,
               .what = std::move(what),
               .where = {.path = name},
               .mend = "fetch or write the file again"};
}

}  // namespace

// `input_` holds stored bytes not yet consumed: [begin_, end_).
struct ByteSource::State {
  StoredBytes stored;
  Compression compression = Compression::kNone;
  std::unique_ptr<char[]> input = std::make_unique_for_overwrite<char[]>(kInputBytes);
  std::size_t begin = 0;
  std::size_t end = 0;
  bool at_end = false;      // of the stored bytes
  bool frame_open = false;  // inside a gzip member or zstd frame
  z_stream inflater = {};
  bool inflater_ready = false;
  ZSTD_DCtx* zstd = nullptr;

  State(int descriptor, bool owned, std::string name)
      : stored(descriptor, owned, std::move(name)) {}
  State(std::string_view memory, std::string name) : stored(memory, std::move(name)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (inflater_ready) inflateEnd(&inflater);
    ZSTD_freeDCtx(zstd);
  }

  std::string_view Pending() const { return {input.get() + begin, end - begin}; }

  // Reads until `wanted` bytes are pending or the input ends.
  Result<void> Fill(std::size_t wanted) {
    while (end - begin < wanted && !at_end) {
      if (begin != 0) {
        std::memmove(input.get(), input.get() + begin, end - begin);
        end -= begin;
        begin = 0;
      }
      IOFLUX_ASSIGN_OR_RETURN(const std::size_t got,
                              stored.Read(input.get() + end, kInputBytes - end));
      end += got;
      at_end = got == 0;
    }
    return {};
  }

  Result<void> Recognise() {
    IOFLUX_RETURN_IF_ERROR(Fill(4));
    const std::string_view first = Pending();
    if (first.starts_with("\x1f\x8b")) {
      compression = Compression::kGzip;
      constexpr int kGzipOnly = 16;
      if (inflateInit2(&inflater, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
      inflater_ready = true;
    } else if (first.starts_with("\x28\xb5\x2f\xfd") || IsSkippableFrame(first)) {
      compression = Compression::kZstd;
      zstd = ZSTD_createDCtx();
      if (zstd == nullptr) throw std::bad_alloc();
    }
    return {};
  }

  // Parallel compressors put a skippable frame first.
  static bool IsSkippableFrame(std::string_view first) {
    return first.size() >= 4 && first.substr(1, 3) == "\x2a\x4d\x18" && (first[0] & 0xf0) == 0x50;
  }

  Result<std::size_t> ReadPlain(char* buffer, std::size_t capacity) {
    if (begin == end) return stored.Read(buffer, capacity);
    const std::size_t count = std::min(capacity, end - begin);
    std::memcpy(buffer, input.get() + begin, count);
    begin += count;
    return count;
  }

  // True at the start of a further member, false at the end of the file.
  Result<bool> NextGzipMember() {
    IOFLUX_RETURN_IF_ERROR(Fill(2));
    if (Pending().empty()) return false;
    if (Pending().starts_with("\x1f\x8b")) {
      inflateReset(&inflater);
      return true;
    }
    // Zero padding to a block size is legal; anything else is damage.
    while (!Pending().empty()) {
      if (Pending().find_first_not_of('\0') != std::string_view::npos) {
        return Damaged(stored.name(), "there are other bytes after the gzip data");
      }
      begin = end;
      IOFLUX_RETURN_IF_ERROR(Fill(1));
    }
    return false;
  }

  Result<std::size_t> ReadGzip(char* buffer, std::size_t capacity) {
    inflater.next_out = reinterpret_cast<Bytef*>(buffer);
    inflater.avail_out = static_cast<uInt>(std::min<std::size_t>(capacity, 1U << 30));
    const uInt room = inflater.avail_out;
    while (inflater.avail_out == room) {
      if (!frame_open) {
        IOFLUX_ASSIGN_OR_RETURN(const bool more, NextGzipMember());
        if (!more) return std::size_t{0};
        frame_open = true;
      }
      IOFLUX_RETURN_IF_ERROR(Fill(1));
      if (begin == end) return Damaged(stored.name(), "the gzip data ends too early");
      inflater.next_in = reinterpret_cast<Bytef*>(input.get() + begin);
      inflater.avail_in = static_cast<uInt>(end - begin);
      const int code = inflate(&inflater, Z_NO_FLUSH);
      begin = end - inflater.avail_in;
      if (code == Z_STREAM_END) {
        frame_open = false;
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        const char* reason = inflater.msg != nullptr ? inflater.msg : "bad data";
        return Damaged(stored.name(), std::string("the gzip data is damaged: ") + reason);
      }
    }
    return static_cast<std::size_t>(room - inflater.avail_out);
  }

  Result<std::size_t> ReadZstd(char* buffer, std::size_t capacity) {
    ZSTD_outBuffer out = {.dst = buffer, .size = capacity, .pos = 0};
    while (out.pos == 0) {
      IOFLUX_RETURN_IF_ERROR(Fill(1));
      if (begin == end) {
        if (frame_open) return Damaged(stored.name(), "the zstd data ends too early");
        return std::size_t{0};
      }
      ZSTD_inBuffer in = {.src = input.get() + begin, .size = end - begin, .pos = 0};
      const std::size_t code = ZSTD_decompressStream(zstd, &out, &in);
      begin += in.pos;
      if (ZSTD_isError(code) != 0) {
        return Damaged(stored.name(),
                       std::string("the zstd data is damaged: ") + ZSTD_getErrorName(code));
      }
      frame_open = code != 0;
    }
    return out.pos;
  }
};

ByteSource::ByteSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

Result<ByteSource> ByteSource::Open(const std::string& path_or_dash) {
  std::unique_ptr<State> state;
  if (path_or_dash == "-") {
    state = std::make_unique<State>(STDIN_FILENO, /*owned=*/false, "standard input");
  } else {
    const int descriptor = open(path_or_dash.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return SystemError("cannot open it", errno, {.path = path_or_dash});
    state = std::make_unique<State>(descriptor, /*owned=*/true, path_or_dash);
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  IOFLUX_RETURN_IF_ERROR(state->Recognise());
  return ByteSource(std::move(state));
}

ByteSource ByteSource::FromBytes(std::string_view bytes, std::string name) {
  auto state = std::make_unique<State>(bytes, std::move(name));
  static_cast<void>(state->Recognise());  // reading memory cannot fail
  return ByteSource(std::move(state));
}

Result<std::size_t> ByteSource::Read(char* buffer, std::size_t capacity) {
  if (capacity == 0) return std::size_t{0};
  switch (state_->compression) {
    case Compression::kGzip:
      return state_->ReadGzip(buffer, capacity);
    case Compression::kZstd:
      return state_->ReadZstd(buffer, capacity);
    case Compression::kNone:
      break;
  }
  return state_->ReadPlain(buffer, capacity);
}

Compression ByteSource::compression() const { return state_->compression; }
const std::string& ByteSource::name() const { return state_->stored.name(); }

Result<std::string> ReadWholeFile(const std::string& path_or_dash, std::uint64_t limit_bytes) {
  IOFLUX_ASSIGN_OR_RETURN(ByteSource source, ByteSource::Open(path_or_dash));
  std::string content;
  std::vector<char> chunk(kInputBytes);
  for (;;) {
    IOFLUX_ASSIGN_OR_RETURN(const std::size_t got, source.Read(chunk.data(), chunk.size()));
    if (got == 0) return content;
    if (content.size() + got > limit_bytes) {
      return Error{.kind = ErrorKind::kInput,
                   .what = "it is larger than " + std::to_string(limit_bytes) + " bytes",
                   .where = {.path = source.name()},
                   .mend = ""};
    }
    content.append(chunk.data(), got);
  }
}

}  // namespace ioflux
