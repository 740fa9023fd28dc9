//===- HeaderCache.h - The language's headers, parsed once ------------------------===//
#pragma once

#include "pocm/pocm.h"
#include <optional>

namespace pocm::frontend {

/// The language's headers in parsed form, as a source with these options sees them: from the disk cache, or made and
/// kept there. Nothing when the cache is off, or the options change what the headers say.
std::optional<std::vector<char>> parsedHeaders(const CompileOptions &Options);

} // namespace pocm::frontend
