// SPDX-License-Identifier: GPL-2.0-only
//
// The text of a JSON document. Behind JsonValue::Dump; jansson's own dumper spells doubles
// differently.
#pragma once

#include <string>

struct json_t;

namespace ioflux {

struct JsonDumpOptions {
  bool indent = true;       ///< two spaces a level and a final newline; else one line
  bool escape_html = true;  ///< `<`, `>` and `&` as \u00XX
};

std::string DumpJson(const json_t* value, JsonDumpOptions options);

}  // namespace ioflux
