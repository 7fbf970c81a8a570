// SPDX-License-Identifier: GPL-2.0-only
//
// Standard normal numbers by the ziggurat method of Marsaglia and Tsang, 128 layers. Tables are
// kept in the precision that fixes the values drawn (32-bit float), so nothing here may change.
//
// Threading: stateless; all state is in the PcgDxsm given.
#pragma once

#include <array>
#include <cstdint>

#include "trace_tools/generate/pcg_dxsm.h"

namespace ioflux {

/// The layers, from the tail strip (0) to the top.
struct ZigguratTables {
  static constexpr int kLayers = 128;
  std::array<std::uint32_t, kLayers> threshold;  ///< |j| below it: inside the layer for sure
  std::array<float, kLayers> width;              ///< scale of j to x
  std::array<float, kLayers> density;            ///< exp(-x^2/2) at the layer's edge
};

const ZigguratTables& Ziggurat();

/// The next number; takes one draw in 98.8 % of the cases.
double DrawNormal(PcgDxsm& random);

}  // namespace ioflux
