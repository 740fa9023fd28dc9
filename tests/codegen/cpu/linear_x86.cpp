// The linear filter on three generations of x86-64: whole registers, no call of a shuffle library, no spill of a row.
// REQUIRES: x86
// RUN: cmc %examples/linear/linear_genx.cpp -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck --check-prefix=AVX512 %s
// RUN: cmc %examples/linear/linear_genx.cpp -S -march=cpu -mcpu=haswell -o - | FileCheck --check-prefix=AVX2 %s
// RUN: cmc %examples/linear/linear_genx.cpp -S -march=cpu -mcpu=x86-64 -o - | FileCheck --check-prefix=BASE %s

// Algorithm 2 loads each shifted row once (8 rows x 3 shifts), widened on the way; the nine floats are summed, and weighted, as words.
// AVX512-LABEL: # kernel linear
// AVX512-COUNT-24: vpmovzxbw {{.*}}(%r{{.*}}), %zmm
// AVX512: vpmulhuw
// AVX512-LABEL: # kernel linear1d2
// AVX2-LABEL: # kernel linear
// AVX2-NOT: zmm
// AVX2: vpmovzxbw {{.*}}(%r{{.*}}), %ymm
// AVX2: vpmulhuw {{.*}}ymm
// BASE-LABEL: # kernel linear
// BASE-NOT: {{[yz]mm}}
// BASE: paddw
// BASE: pmulhuw
