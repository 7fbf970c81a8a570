// SPDX-License-Identifier: GPL-2.0-only
#include "trace_tools/generate/normal_ziggurat.h"

#include <cmath>

namespace ioflux {
namespace {

// Where the tail begins, and the area of every layer, for 128 layers.
constexpr double kTailStart = 3.442619855899;
constexpr double kLayerArea = 9.91256303526217e-3;
constexpr double kScale = 2147483648.0;  // j is a signed 32-bit number

double Density(double x) { return std::exp(-0.5 * x * x); }

ZigguratTables MakeTables() {
  ZigguratTables tables = {};
  constexpr int kLast = ZigguratTables::kLayers - 1;
  const auto threshold = [](double ratio) { return static_cast<std::uint32_t>(ratio * kScale); };
  const double base_width = kLayerArea / Density(kTailStart);
  tables.threshold[0] = threshold(kTailStart / base_width);
  tables.threshold[1] = 0;
  tables.width[0] = static_cast<float>(base_width / kScale);
  tables.width[kLast] = static_cast<float>(kTailStart / kScale);
  tables.density[0] = 1.0F;
  tables.density[kLast] = static_cast<float>(Density(kTailStart));
  double outer = kTailStart;
  for (int i = kLast - 1; i >= 1; --i) {
    const double x = std::sqrt(-2.0 * std::log(kLayerArea / outer + Density(outer)));
    const auto layer = static_cast<std::size_t>(i);
    tables.threshold[layer + 1] = threshold(x / outer);
    tables.width[layer] = static_cast<float>(x / kScale);
    tables.density[layer] = static_cast<float>(Density(x));
    outer = x;
  }
  return tables;
}

double DrawTail(PcgDxsm& random, bool positive) {
  for (;;) {
    const double x = -std::log(random.Unit()) * (1.0 / kTailStart);
    const double y = -std::log(random.Unit());
    if (y + y >= x * x) return positive ? kTailStart + x : -kTailStart - x;
  }
}

}  // namespace

const ZigguratTables& Ziggurat() {
  static const ZigguratTables tables = MakeTables();
  return tables;
}

double DrawNormal(PcgDxsm& random) {
  const ZigguratTables& tables = Ziggurat();
  for (;;) {
    const std::uint64_t bits = random.Next();
    const auto j = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
    const auto layer = static_cast<std::size_t>((bits >> 32) & 127);
    const double x = static_cast<double>(j) * static_cast<double>(tables.width[layer]);
    const std::uint32_t magnitude =
        j < 0 ? 0U - static_cast<std::uint32_t>(j) : static_cast<std::uint32_t>(j);
    if (magnitude < tables.threshold[layer]) return x;
    if (layer == 0) return DrawTail(random, j > 0);
    // In 32-bit float on purpose: the comparison decides which numbers follow.
    const float below = tables.density[layer];
    const float span = tables.density[layer - 1] - below;
    const float height = below + static_cast<float>(random.Unit()) * span;
    if (height < static_cast<float>(std::exp(-0.5 * x * x))) return x;
  }
}

}  // namespace ioflux
