// The older atomics take the new value before the one to compare with, messages to the load/store cache the other way around.
// RUN: cmc -march=DG2 %s -S -verify-each -o - | FileCheck %s
// RUN: cmc -march=SKL %s -S -verify-each -o - | FileCheck --check-prefix=OLDER %s
#include <cm/cm.h>

// CHECK-LABEL: .kernel "exchange"
// CHECK: lsc_load.ugm (M1, 1) [[NEW:V[0-9]+]]_ud:d32x16t bti
// CHECK: lsc_load.ugm (M1, 1) [[COMPARED:V[0-9]+]]_ud:d32x16t bti
// CHECK: lsc_atomic_icas.ugm (M1, 16) %null:d32 bti({{.*}})[{{.*}}]:a32 [[COMPARED]]_ud [[NEW]]_ud
// OLDER-LABEL: .kernel "exchange"
// OLDER: oword_ld (4) T6 0:ud [[NEW:V[0-9]+]]_ud.0
// OLDER: oword_ld (4) T6 4:ud [[COMPARED:V[0-9]+]]_ud.0
// OLDER: dword_atomic.cmpxchg (M1, 16) T7 {{V[0-9]+}}_ud.0 [[NEW]]_ud.0 [[COMPARED]]_ud.0 %null.0
extern "C" _GENX_MAIN_ void exchange(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> fresh, compared, places;
  read(in, 0, fresh);
  read(in, 64, compared);
  read(in, 128, places);
  write_atomic<ATOMIC_CMPXCHG>(out, places, fresh, compared);
}
