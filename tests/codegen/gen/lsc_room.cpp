// A message to the load/store cache is written with all channels that the shortest has; elements of 64 bits want a variable
// with room for them.
// RUN: cmc -march=DG2 %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,DG2 %s
// RUN: cmc -march=PVC %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,PVC %s
// RUN: cmc -march=PVCXT %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,XT %s
#include <cm/cm.h>

// DG2: .decl [[V:V[0-9]+]] v_type=G type=q num_elts=16 align=GRF
// PVC: .decl [[V:V[0-9]+]] v_type=G type=q num_elts=32 align=GRF
// XT: .decl [[V:V[0-9]+]] v_type=G type=q num_elts=16 align=GRF
// CHECK: lsc_load.ugm (M1, 2) [[V]]_uq:d64 bti(
extern "C" _GENX_MAIN_ void k(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 2> places;
  places(0) = 8, places(1) = 40;
  vector<int64_t, 2> v = cm_load<int64_t>(in, places);
  cm_store<int64_t>(out, places, v);
}
