//===- Complaints.h - What the finalizer says, by lines of the source -----------------------===//
//
//     near line 41: syntax error        ->   blur_genx.cpp:12: ... at 'add (M1, 16) V3(0,0)<1> ...'
//     128 GRF registers are NOT enough  ->   blur_genx.cpp:12: kernel 'blur' needs more registers than SKL has ...
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Emitter.h"
#include "codegen/gen/Finalizer.h"

namespace pocm::gen {

/// The finalizer's problem as a message about the source.
std::string explain(const std::string &Problem, const std::string &Name, const VisaKernel &Visa,
                    const GenTarget &Target);

} // namespace pocm::gen
