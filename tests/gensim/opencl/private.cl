// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Arrays of a work item: in registers, in private memory, in spills.

constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
constant float weights[5] = {0.1f, 0.25f, 0.3f, 0.25f, 0.1f};

// launch: constants global=64 local=16 in=uint:64 zero=float:64 near=1e-6
kernel void constants(global const uint *a, global float *to) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += weights[k] * table[(a[i] + k) & 15];
  to[i] = sum;
}

// launch: sorted global=64 local=16 in=int:1024 zero=int:1024
kernel void sorted(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  int x[16];
  for (int k = 0; k < 16; ++k)
    x[k] = a[i * 16 + k];
  for (int k = 1; k < 16; ++k) {
    int v = x[k], j = k - 1;
    while (j >= 0 && x[j] > v) {
      x[j + 1] = x[j];
      --j;
    }
    x[j + 1] = v;
  }
  for (int k = 0; k < 16; ++k)
    to[i * 16 + k] = x[k];
}

// launch: large global=32 local=16 in=uint:32 zero=uint:32
kernel void large(global const uint *a, global uint *to) {
  size_t i = get_global_id(0);
  uint x[300];
  for (uint k = 0; k < 300; ++k)
    x[k] = k * a[i];
  uint at = a[i];
  for (uint k = 0; k < 40; ++k) {
    x[at % 300] += k;
    at = at * 1103515245 + x[(at >> 8) % 300];
  }
  to[i] = at;
}

// launch: small_elements global=32 local=16 in=uchar:32 zero=uchar:32 zero=long:32
kernel void small_elements(global const uchar *a, global uchar *to, global long *wide) {
  size_t i = get_global_id(0);
  uchar x[64];
  short y[64];
  long z[32];
  for (int k = 0; k < 64; ++k) {
    x[k] = a[i] + k * 3;
    y[63 - k] = x[k] * 5;
    z[k / 2] = (long)y[63 - k] << 30;
  }
  uint at = a[i];
  for (int k = 0; k < 20; ++k) {
    x[at & 63] ^= (uchar)y[(at >> 2) & 63];
    at = at * 77 + x[k];
    z[at & 31] += at;
  }
  to[i] = x[at & 63];
  wide[i] = z[a[i] & 31];
}

// launch: matrix global=16 local=16 in=float:256 zero=float:256 near=1e-3
kernel void matrix(global const float *a, global float *to) {
  size_t i = get_global_id(0);
  float m[16], r[16];
  for (int k = 0; k < 16; ++k)
    m[k] = a[i * 16 + k];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      float s = 0;
      for (int k = 0; k < 4; ++k)
        s += m[y * 4 + k] * m[k * 4 + x];
      r[x * 4 + y] = s;
    }
  for (int k = 0; k < 16; ++k)
    to[i * 16 + k] = r[k];
}

// launch: pressure global=64 local=32 in=int:4096 zero=int:64
kernel void pressure(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  global const int *p = a + i * 64;
  int16 v0 = vload16(0, p), v1 = vload16(1, p), v2 = vload16(2, p), v3 = vload16(3, p);
  for (int k = 0; k < 3; ++k) {
    int16 t = v0 * v3 + v1;
    v0 = v1 ^ v2.sFEDCBA9876543210;
    v1 = v2 + t;
    v2 = v3 - v0;
    v3 = t ^ (v1 >> 3);
  }
  int16 s = v0 ^ v1 ^ v2 ^ v3;
  int8 e = s.lo + s.hi;
  int4 f = e.lo ^ e.hi;
  to[i] = f.x + f.y - f.z + f.w;
}

// launch: structures global=32 local=16 in=int:32 zero=int:32
typedef struct { int a; short b[5]; char c; float d; } Record;
kernel void structures(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  Record r[4];
  for (int k = 0; k < 4; ++k) {
    r[k].a = a[i] + k;
    r[k].c = (char)(a[i] >> k);
    r[k].d = k * 0.5f;
    for (int j = 0; j < 5; ++j)
      r[k].b[j] = (short)(a[i] * j);
  }
  Record *p = &r[a[i] & 3], *q = &r[(a[i] >> 2) & 3];
  *q = *p;
  q->b[(uint)a[i] % 5]++;
  to[i] = r[0].a + r[1].b[2] + r[2].c + (int)(r[3].d * 4) + p->b[(uint)a[i] % 5];
}

// launch: beside_local global=1024 local=512 in=uint:1024 zero=uint:1024
kernel void beside_local(global const uint *a, global uint *to) {
  local uint t[512];
  uint mine[24], l = get_local_id(0), i = get_global_id(0);
  for (uint k = 0; k < 24; ++k)
    mine[(k * 7 + a[i]) % 24] = a[(i + k) & 1023] + k;
  t[l] = mine[a[i] % 24];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = t[511 - l];
  for (uint k = 0; k < 24; ++k)
    sum = sum * 31 + mine[(sum + k) % 24];
  to[i] = sum;
}
