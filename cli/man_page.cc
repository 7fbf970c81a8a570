// SPDX-License-Identifier: GPL-2.0-only
#include "cli/man_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/nearest_name.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/help_format.h"
#include "cli/roff_text.h"

namespace ioflux {
namespace {

struct Page {
  std::string name;     // "ioflux-gen"
  std::string command;  // "ioflux gen"
  const CLI::App* app = nullptr;
};

bool IsCommand(const CLI::App& app) { return !app.get_name().empty() && !app.get_group().empty(); }

void AddPages(const CLI::App& app, const Page& above, std::vector<Page>& pages) {
  Page page{.name = app.get_name(), .command = app.get_name(), .app = &app};
  if (above.app != nullptr) {
    page.name = above.name + "-" + page.name;
    page.command = above.command + " " + page.command;
  }
  pages.push_back(page);
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (IsCommand(*sub)) AddPages(*sub, page, pages);
  }
}

std::vector<Page> Pages(const CLI::App& root) {
  std::vector<Page> pages;
  AddPages(root, {}, pages);
  return pages;
}

std::string UpperCase(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}

std::string Section(std::string_view title) { return fmt::format(".SH {}\n", RoffText(title)); }

std::string AsSentence(std::string text) {
  if (!text.empty() && std::string_view(".!?:)").find(text.back()) == std::string_view::npos)
    text += '.';
  return text;
}

// What the NAME line says: the first sentence of the description.
std::string FirstSentence(const std::string& description) {
  std::string sentence =
      description.substr(0, std::min(description.find('\n'), description.find(". ")));
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

// The value an option takes, as --help shows it; nothing for a flag.
std::string ValueName(const CLI::Option& option) {
  if (!option.get_option_text().empty()) return option.get_option_text();
  if (option.get_items_expected_max() == 0) return {};
  std::string value = option.get_type_name();
  if (option.get_expected_max() > 1) value += " ...";
  return value;
}

std::string Synopsis(const Page& page) {
  std::string line = RoffBold(page.command);
  bool has_options = false;
  std::string positionals;
  for (const CLI::Option* option : page.app->get_options()) {
    if (option->get_group().empty()) continue;
    if (!option->get_positional()) {
      has_options = true;
      continue;
    }
    positionals += " " + RoffItalic(PositionalUsage(*option));
  }
  if (has_options) line += " [" + RoffItalic("OPTION") + "]...";
  line += positionals;
  const auto subs = page.app->get_subcommands({});
  if (std::ranges::any_of(subs, [](const CLI::App* sub) { return IsCommand(*sub); })) {
    line += " " + RoffItalic("COMMAND");
  }
  return line + "\n";
}

std::string OptionEntry(const CLI::Option& option) {
  const bool positional = !option.nonpositional();
  std::string entry = ".TP\n" + (positional ? RoffItalic(option.get_name(true))
                                            : RoffBold(option.get_name(false, true)));
  const std::string value = ValueName(option);
  if (!value.empty() && !positional) entry += " " + RoffItalic(value);
  entry += "\n" + RoffText(AsSentence(option.get_description())) + "\n";
  if (!option.get_default_str().empty()) {
    entry += RoffText("Default: " + option.get_default_str() + ".") + "\n";
  }
  if (!option.get_envname().empty()) {
    entry += RoffText("Also from the environment variable " + option.get_envname() + ".") + "\n";
  }
  if (option.get_required()) entry += "Required.\n";
  return entry;
}

// Positional arguments first, then the options group by group in the order they were declared. An
// option group is a nameless subcommand of CLI11's.
void AddOptionEntries(const CLI::App& app, std::string& text) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional() && !option->get_group().empty()) text += OptionEntry(*option);
  }
  for (const std::string& group : app.get_groups()) {
    if (group.empty()) continue;
    std::string entries;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() == group && option->nonpositional()) entries += OptionEntry(*option);
    }
    if (entries.empty()) continue;
    if (group != "Options") text += ".SS " + RoffText(group) + "\n";
    text += entries;
  }
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (!sub->get_name().empty()) continue;
    if (!sub->get_group().empty()) text += ".SS " + RoffText(sub->get_group()) + "\n";
    AddOptionEntries(*sub, text);
  }
}

std::string Commands(const Page& page) {
  std::string entries;
  for (const CLI::App* sub : page.app->get_subcommands({})) {
    if (!IsCommand(*sub)) continue;
    entries += ".TP\n" + RoffBold(page.command + " " + sub->get_name()) + "\n" +
               RoffText(FirstSentence(sub->get_description())) + ".\n";
  }
  return entries.empty() ? entries : Section("COMMANDS") + entries;
}

// What --help ends with, less the exit codes, which have a section of their own.
std::string Notes(const CLI::App& app) {
  std::string footer = app.get_footer();
  const std::string exit_codes = ExitCodeHelp();
  if (const std::size_t at = footer.find(exit_codes); at != std::string::npos)
    footer.erase(at, exit_codes.size());
  const std::size_t first = footer.find_first_not_of(" \n");
  if (first == std::string::npos) return {};
  footer = footer.substr(0, footer.find_last_not_of(" \n") + 1).substr(first);
  return Section("NOTES") + RoffPreformatted(footer);
}

std::string ExitStatus() {
  std::string text = Section("EXIT STATUS");
#define IOFLUX_EXIT_CODE(name, number, meaning) \
  text += ".TP\n.B " #number "\n" + RoffText(meaning) + "\n";
#include "cli/exit_code.def"
#undef IOFLUX_EXIT_CODE
  return text;
}

// The page above and those below; fio for all.
std::string SeeAlso(const Page& page, const std::vector<Page>& pages) {
  std::string text;
  for (const Page& other : pages) {
    const auto subs = other.app->get_subcommands({});
    const bool above = std::ranges::find(subs, page.app) != subs.end();
    const auto below = page.app->get_subcommands({});
    if (above || std::ranges::find(below, other.app) != below.end()) {
      text += RoffBold(other.name) + "(1), ";
    }
  }
  return Section("SEE ALSO") + text + RoffBold("fio") + "(1)\n";
}

std::string Render(const Page& page, const std::vector<Page>& pages) {
  std::string text = ".\\\" SPDX-License-Identifier: GPL-2.0-only\n";
  text += fmt::format(".TH {} 1 \"\" \"ioflux {}\" \"User Commands\"\n",
                      RoffText(UpperCase(page.name)), kToolVersion);
  text += ".nh\n.ad l\n";  // a broken or stretched option name cannot be copied
  text += Section("NAME") + RoffText(page.name) + " \\- " +
          RoffText(FirstSentence(page.app->get_description())) + "\n";
  text += Section("SYNOPSIS") + Synopsis(page);
  text += Section("DESCRIPTION") + RoffText(AsSentence(page.app->get_description())) + "\n";
  std::string options;
  AddOptionEntries(*page.app, options);
  text += Commands(page);
  if (!options.empty()) text += Section("OPTIONS") + options;
  return text + Notes(*page.app) + ExitStatus() + SeeAlso(page, pages);
}

// Prints `text` and ends the parse as --version does.
[[noreturn]] void PrintAndEnd(std::string text) {
  if (text.ends_with('\n')) text.pop_back();  // CLI11 adds one
  throw CLI::CallForVersion(text, 0);
}

}  // namespace

std::vector<std::string> ManPageNames(const CLI::App& root) {
  std::vector<std::string> names;
  for (const Page& page : Pages(root)) names.push_back(page.name);
  return names;
}

Result<std::string> ManPage(const CLI::App& root, std::string_view page_name) {
  const std::vector<Page> pages = Pages(root);
  const auto page = std::ranges::find(pages, page_name, &Page::name);
  if (page != pages.end()) return Render(*page, pages);
  std::vector<std::string_view> names;
  for (const Page& other : pages) names.push_back(other.name);
  return Error{.kind = ErrorKind::kUsage,
               .what = fmt::format("there is no manual page '{}'", page_name),
               .mend = SuggestName(page_name, names)};
}

void AddManOptions(CLI::App& root) {
  root.add_flag_callback(
          "--man-list",
          [&root] {
            std::string text;
            for (const std::string& name : ManPageNames(root)) text += name + "\n";
            PrintAndEnd(std::move(text));
          },
          "Print the names of the manual pages")
      ->group("");
  root.add_option_function<std::string>(
          "--man",
          [&root](const std::string& name) {
            Result<std::string> page = ManPage(root, name.empty() ? root.get_name() : name);
            if (!page) throw CLI::ValidationError("--man", Describe(page.error()));
            PrintAndEnd(std::move(page.value()));
          },
          "Print a manual page as troff text")
      ->expected(0, 1)
      ->group("");
}

}  // namespace ioflux
