// What sources say of functions for the code of other languages is in no program: files that have it are not trusted.
// RUN: rm -rf %t && mkdir %t
// RUN: cmc %s -verify-each -o %t/attributes.isa
// RUN: cmrun %t/attributes.isa plain --threads 1x1 --arg buffer:zero=32,out=%t/out.bin && od -An -w4 -td4 %t/out.bin | FileCheck %s
// RUN: cmrun %t/attributes.isa slow --threads 1x1 --arg buffer:zero=32,out=%t/out.bin && od -An -w4 -td4 %t/out.bin | FileCheck %s
// RUN: cmc %s -O0 -g -o %t/debugged.isa
// RUN: cmrun %t/debugged.isa slow --threads 1x1 --arg buffer:zero=32,out=%t/out.bin && od -An -w4 -td4 %t/out.bin | FileCheck %s
// CHECK: {{^ +42$}}
// CHECK-NEXT: *
#include <cm/cm.h>

__attribute__((noduplicate, target("sse4.2"), disable_tail_calls, zero_call_used_regs("all"), returns_twice,
               speculative_load_hardening, no_profile_instrument_function)) _GENX_ void
twice(vector_ref<int, 8> v) {
  v *= 2;
}

__attribute__((noduplicate, target("sse4.2"), disable_tail_calls, zero_call_used_regs("all"), returns_twice,
               speculative_load_hardening, no_profile_instrument_function, error("x"),
               cfi_canonical_jump_table, disable_sanitizer_instrumentation)) _GENX_MAIN_ void
plain(SurfaceIndex out) {
  vector<int, 8> v = 21;
  twice(v);
  write(out, 0, v);
}

#pragma clang optimize off
_GENX_ void halve(vector_ref<int, 8> v) { v /= 2; }
_GENX_MAIN_ void slow(SurfaceIndex out) {
  vector<int, 8> v = 42;
  twice(v);
  halve(v);
  write(out, 0, v);
}
#pragma clang optimize on
