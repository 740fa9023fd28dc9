// Floats become integers as whole vectors, whatever CPU and size: comparisons around the CPU's conversion.
// RUN: for c in x86-64 haswell znver4 sapphirerapids; do cmc %s -S -march=cpu -mcpu=$c -o - | FileCheck %s || exit 1; done
// RUN: cmc %s -S -emit-llvm -march=cpu -mcpu=haswell -o - | FileCheck --check-prefix=IR %s
#include <cm/cm.h>

// A vector conversion, and none of single elements.
// CHECK-NOT: cvttss2si
// CHECK: cvttps2dq
// CHECK-NOT: cvttss2si
// IR-NOT: .sat.
extern "C" _GENX_MAIN_ void numbers(SurfaceIndex from [[type("buffer_t")]], SurfaceIndex to [[type("buffer_t")]]) {
  vector<float, 32> x;
  read(from, 0, x);
  vector<uchar, 32> bytes = x;
  vector<short, 32> words = x;
  vector<int, 32> dwords = x;
  vector<uint, 32> numbers = x;
  write(to, 0, vector<int, 32>(bytes + words * dwords));
  write(to, 128, numbers);
}
