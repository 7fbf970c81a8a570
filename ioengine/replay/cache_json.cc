// SPDX-License-Identifier: GPL-2.0-only
#include "ioengine/replay/cache_json.h"

#include <string_view>

namespace ioflux {
namespace {

std::string_view WordOf(CacheMode mode) {
  switch (mode) {
    case CacheMode::kCold:
      return "cold";
    case CacheMode::kWarm:
      return "warm";
    case CacheMode::kNone:
      break;
  }
  return "none";
}

JsonValue EncodeTexts(const std::vector<std::string>& texts) {
  JsonValue json = JsonValue::Array();
  for (const std::string& text : texts) json.Append(JsonValue::String(text));
  return json;
}

void SetShare(JsonValue& json, std::string_view key, const std::optional<PageShare>& share) {
  if (!share) return;
  JsonValue item = JsonValue::Object();
  item.Set("targets", share->targets)
      .Set("pages", share->pages)
      .Set("resident_pages", share->resident_pages);
  if (!share->worst_target.empty()) {
    item.Set("worst_target", share->worst_target)
        .Set("worst_pages", share->worst_pages)
        .Set("worst_resident_pages", share->worst_resident_pages);
  }
  json.Set(key, item);
}

JsonValue EncodeResidency(const CacheState& cache) {
  JsonValue json = JsonValue::Object();
  json.Set("method", NameOf(cache.method)).Set("page_bytes", PageBytes());
  if (!cache.not_measured.empty()) json.Set("not_measured", cache.not_measured);
  if (!cache.end_not_measured.empty()) json.Set("end_not_measured", cache.end_not_measured);
  SetShare(json, "found", cache.found);
  SetShare(json, "at_start", cache.at_start);
  SetShare(json, "at_end", cache.at_end);
  return json;
}

JsonValue EncodeDevice(const DeviceBytes& device) {
  JsonValue json = JsonValue::Object();
  if (!device.not_measured().empty()) json.Set("not_measured", device.not_measured());
  if (const std::optional<TransferredBytes> process = device.process()) {
    json.Set("process_read_bytes", process->read).Set("process_written_bytes", process->written);
  }
  JsonValue devices = JsonValue::Array();
  for (const DeviceCounters& counters : device.devices()) {
    JsonValue item = JsonValue::Object();
    item.Set("number", counters.number).Set("name", counters.name);
    item.Set("read_bytes_before", counters.before.read)
        .Set("read_bytes_after", counters.after.read);
    item.Set("written_bytes_before", counters.before.written)
        .Set("written_bytes_after", counters.after.written);
    devices.Append(item);
  }
  json.Set("devices", devices);
  return json;
}

}  // namespace

JsonValue EncodeCache(const CacheState& cache, const DeviceBytes& device) {
  JsonValue json = JsonValue::Object();
  json.Set("mode", WordOf(cache.mode));
  json.Set("actions", EncodeTexts(cache.actions));
  json.Set("limitations", EncodeTexts(cache.limitations));
  json.Set("primed", cache.primed).Set("duration_ns", cache.duration_ns);
  json.Set("residency", EncodeResidency(cache)).Set("device", EncodeDevice(device));
  return json;
}

}  // namespace ioflux
