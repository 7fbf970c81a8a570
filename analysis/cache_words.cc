// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/cache_words.h"

#include <fmt/format.h>

#include "analysis/report_format.h"
#include "base/size_text.h"

namespace ioflux {
namespace {

std::string Bytes(std::int64_t bytes) { return FormatSizeHuman(static_cast<std::uint64_t>(bytes)); }

/// "0/512 (0.0%)"
std::string ShareWords(const ResidencyFigures& figures) {
  return fmt::format(
      "{}/{} ({})", figures.resident_pages, figures.pages,
      FormatPercent(figures.pages == 0 ? 0
                                       : 100.0 * static_cast<double>(figures.resident_pages) /
                                             static_cast<double>(figures.pages)));
}

std::string ResidencyWords(const ResidencyEvidence& residency) {
  if (!residency.at_start)
    return fmt::format("residency not measured ({})", Printable(residency.not_measured));
  std::string words = "resident pages " + ShareWords(*residency.at_start) + " at the start";
  if (residency.at_end) words += ", " + ShareWords(*residency.at_end) + " at the end";
  return words;
}

std::string DeviceWords(const DeviceEvidence& device) {
  if (device.process_read_bytes && device.process_written_bytes) {
    return fmt::format("{} read from the device, {} written", Bytes(*device.process_read_bytes),
                       Bytes(*device.process_written_bytes));
  }
  if (!device.devices.empty()) {
    const BlockDeviceBytes& first = device.devices.front();
    return fmt::format("{} read from {} by everybody, {} written", Bytes(first.read_bytes),
                       Printable(first.name), Bytes(first.written_bytes));
  }
  return fmt::format("device bytes not measured ({})", Printable(device.not_measured));
}

}  // namespace

std::string CacheWords(const RunEnvironment& environment) {
  if (environment.cache_mode.empty() && !environment.cache_evidence) return "";
  std::string words =
      environment.cache_mode.empty() ? "left as found" : Printable(environment.cache_mode);
  if (!environment.cache_evidence) return words;
  const CacheEvidence& evidence = *environment.cache_evidence;
  if (!evidence.residency.at_start &&
      evidence.residency.not_measured == evidence.device.not_measured) {
    return words + fmt::format("; nothing measured ({})", Printable(evidence.device.not_measured));
  }
  return words + "; " + ResidencyWords(evidence.residency) + "; " + DeviceWords(evidence.device);
}

}  // namespace ioflux
