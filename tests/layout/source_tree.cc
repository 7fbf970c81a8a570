// SPDX-License-Identifier: GPL-2.0-only
#include "tests/layout/source_tree.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>

namespace ioflux::layout {
namespace {

constexpr std::uintmax_t kLargestSourceBytes = 1 << 20;

bool IsOutside(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == "build" || name.starts_with("build-") ||
         name == "quick-start-data";
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Walks once over the text of a source file and blanks what is not code.
class CodeFilter {
 public:
  explicit CodeFilter(std::string_view text) : text_(text), code_(text) {}

  std::string Run() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        BlankTo(text_.find('\n', at_));
      } else if (rest.starts_with("/*")) {
        BlankTo(After("*/", at_ + 2));
      } else if (rest.starts_with("R\"") && !FollowsAWord()) {
        const std::string delimiter(text_.substr(at_ + 2, text_.find('(', at_) - at_ - 2));
        BlankTo(After(")" + delimiter + "\"", at_ + 2));
      } else if (rest[0] == '"' || (rest[0] == '\'' && !FollowsAWord())) {
        BlankLiteral(rest[0]);
      } else {
        ++at_;
      }
    }
    return code_;
  }

 private:
  // An apostrophe after a digit separates digits; an R after a letter is the end of a name.
  bool FollowsAWord() const { return at_ > 0 && IsWordCharacter(text_[at_ - 1]); }

  std::size_t After(std::string_view mark, std::size_t from) const {
    const std::size_t found = text_.find(mark, from);
    return found == std::string_view::npos ? found : found + mark.size();
  }

  void BlankTo(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) {
      if (code_[at_] != '\n') code_[at_] = ' ';
    }
  }

  void BlankLiteral(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    BlankTo(end + 1);
  }

  std::string_view text_;
  std::string code_;
  std::size_t at_ = 0;
};

}  // namespace

const SourceFile* SourceTree::Find(std::string_view path) const {
  const auto found = std::ranges::find(files, path, &SourceFile::path);
  return found == files.end() ? nullptr : &*found;
}

SourceTree ReadSourceTree(const std::filesystem::path& root) {
  SourceTree tree;
  for (auto it = std::filesystem::recursive_directory_iterator(root);
       it != std::filesystem::end(it); ++it) {
    if (it->is_directory() && IsOutside(it->path())) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file() && !it->is_symlink() &&
               it->file_size() <= kLargestSourceBytes) {
      tree.files.push_back(
          {it->path().lexically_relative(root).generic_string(), ReadFile(it->path())});
    }
  }
  std::ranges::sort(tree.files, {}, &SourceFile::path);
  return tree;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string CodeOnly(std::string_view text) { return CodeFilter(text).Run(); }

}  // namespace ioflux::layout
