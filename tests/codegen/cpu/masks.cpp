// Masks of SIMD control flow stay in registers of masks, across blocks and loops too; CPUs without have bits of integers.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -stop-after=cpu-masks -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck --check-prefix=CODE %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -stop-after=cpu-masks -o - | FileCheck --check-prefix=WITHOUT %s
#include <cm/cm.h>

// CHECK-LABEL: ; kernel steps
// CHECK: {{^}}do.body
// CHECK: phi <16 x i1>
// CHECK: and <16 x i1>
// CHECK: select <16 x i1>
// CHECK: icmp eq i16
// CHECK-LABEL: ; kernel left
// WITHOUT-LABEL: ; kernel steps
// WITHOUT: {{^}}do.body
// WITHOUT-NOT: phi <16 x i1>
// WITHOUT-LABEL: ; kernel left
// CODE-LABEL: # kernel steps
// CODE: vpsrld $1, %zmm
// CODE-NOT: kmovd
// CODE-NOT: vpmovm2d
// CODE: kortestw
// CODE-LABEL: # kernel left
extern "C" _GENX_MAIN_ void steps(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 16> n, count = 0;
  read(in, 0, n);
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN((n & 1) == 1) {
      n = n * 3 + 1;
    } SIMD_ELSE {
      n >>= 1;
    } SIMD_IF_END;
    count += 1;
  } SIMD_DO_WHILE_END(n > 1);
  write(out, 0, count);
}

// Channels that leave a loop early are bits that are 0 at first and 1 behind the channels later: nobody reads those.
// CHECK: phi <16 x i1>
// CHECK-NOT: and i32
// CHECK: icmp eq i16
// CHECK-LABEL: ; kernel counted
extern "C" _GENX_MAIN_ void left(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 16> n, limit;
  read(in, 0, n);
  read(in, 64, limit);
  SIMD_DO_WHILE_BEGIN {
    n = n * 5 + 1;
    SIMD_IF_BEGIN((n & 3) == 1) {
      SIMD_BREAK;
    } SIMD_IF_END;
    n ^= limit;
  } SIMD_DO_WHILE_END(n < limit);
  write(out, 0, n);
}

// Bits that are counted and gone through are integers.
// CHECK: bitcast <32 x i1> %{{.*}} to i32
// CHECK: add {{.*}}i{{16|32}} %{{.*}}, -1
// CHECK-NOT: phi <16 x i1>
extern "C" _GENX_MAIN_ void counted(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 16> n, found = 0;
  read(in, 0, n);
  uint k = 0;
  for (uint rest = cm_pack_mask(n > 7); rest; rest &= rest - 1)
    found(k++) = cm_fbl<uint>(rest);
  write(out, 0, found);
}
