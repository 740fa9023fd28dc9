// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp dg2 | %some 4) --forms tokens,zebin --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Kernels in the styles of benchmark suites: grids with halos, graphs, dynamic programming, hashing, physics.

// launch: hotspot global=16,16 local=8,8 in=float:256:20..90 in=float:256:0..2 zero=float:256 slm=400 near=1e-4
kernel void hotspot(global const float *t, global const float *power, global float *to, local float *tile) {
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
  tile[ly * 10 + lx] = t[y * 16 + x];
  if (lx == 1)
    tile[ly * 10] = t[y * 16 + max(x - 1, 0)];
  if (lx == 8)
    tile[ly * 10 + 9] = t[y * 16 + min(x + 1, 15)];
  if (ly == 1)
    tile[lx] = t[max(y - 1, 0) * 16 + x];
  if (ly == 8)
    tile[90 + lx] = t[min(y + 1, 15) * 16 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float c = tile[ly * 10 + lx];
  to[y * 16 + x] = c + 0.125f * (power[y * 16 + x] + (tile[ly * 10 + lx - 1] + tile[ly * 10 + lx + 1] - 2 * c) +
                                 (tile[ly * 10 + lx - 10] + tile[ly * 10 + lx + 10] - 2 * c));
}

// launch: pathfinder global=64 local=64 in=int:1024:0..9 zero=int:64 slm=512
kernel void pathfinder(global const int *wall, global int *to, local int *rows) {
  int x = get_local_id(0);
  rows[x] = wall[x];
  for (int y = 1; y < 16; ++y) {
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *from = rows + ((y - 1) & 1) * 64;
    int best = from[x];
    if (x > 0)
      best = min(best, from[x - 1]);
    if (x < 63)
      best = min(best, from[x + 1]);
    rows[(y & 1) * 64 + x] = best + wall[y * 64 + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  to[x] = rows[64 + x];
}

// launch: breadth_first global=64 local=32 in=uchar:65:0..63 in=uchar:512:0..63 zero=int:64
kernel void breadth_first(global const uchar *starts, global const uchar *edges, global int *depth) {
  uint node = get_global_id(0), front = node;
  int steps = 0;
  ulong seen = 1ul << node;
  while (steps < 40) {
    uint first = starts[front], count = (starts[front + 1] & 7) + 1, next = 64;
    for (uint k = 0; k < count; ++k) {
      uint other = edges[(first * 7 + k) & 511];
      if (seen >> other & 1)
        continue;
      next = other;
      break;
    }
    if (next == 64)
      break;
    seen |= 1ul << next;
    front = next;
    ++steps;
  }
  depth[node] = steps + (int)popcount(seen) * 100;
}

// launch: needle global=16 local=16 in=char:256:-4..4 zero=int:289 slm=1156
kernel void needle(global const char *scores, global int *to, local int *m) {
  int l = get_local_id(0);
  m[l + 1] = -2 * (l + 1);
  m[(l + 1) * 17] = -2 * (l + 1);
  if (l == 0)
    m[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 0; d < 31; ++d) {
    int y = d - l;
    if (y >= 0 && y < 16) {
      int at = (y + 1) * 17 + l + 1;
      m[at] = max(m[at - 18] + scores[y * 16 + l], max(m[at - 1], m[at - 17]) - 2);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int k = l; k < 289; k += 16)
    to[k] = m[k];
}

typedef struct {
  float x, y, z, w;
} Particle;

// launch: forces global=32 local=16 in=float:128:-2..2 zero=float:128 ulp=64 near=1e-3
kernel void forces(global const Particle *all, global float4 *to) {
  Particle me = all[get_global_id(0)];
  float4 sum = 0;
  for (int k = 0; k < 32; ++k) {
    float4 d = (float4)(all[k].x - me.x, all[k].y - me.y, all[k].z - me.z, 0.25f);
    float r = dot(d, d);
    sum += d * (all[k].w * native_rsqrt(r) / r);
  }
  to[get_global_id(0)] = sum;
}

// launch: md5_rounds global=64 local=16 in=uint:256 zero=uint:256
kernel void md5_rounds(global const uint *in, global uint4 *to) {
  uint i = get_global_id(0), a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  uint w[16];
  for (int k = 0; k < 16; ++k)
    w[k] = in[(i * 4 + k) & 255];
  for (uint k = 0; k < 64; ++k) {
    uint f = k < 16 ? (b & c) | (~b & d) : k < 32 ? (d & b) | (~d & c) : k < 48 ? b ^ c ^ d : c ^ (b | ~d);
    uint g = (k < 16 ? k : k < 32 ? 5 * k + 1 : k < 48 ? 3 * k + 5 : 7 * k) & 15;
    uint s = d;
    d = c;
    c = b;
    b += rotate(a + f + k * 0x9E3779B9u + w[g], 5 + (k & 3) * 5);
    a = s;
  }
  to[i] = (uint4)(a, b, c, d);
}

// launch: sad_blocks global=8,8 local=8,8 in=uchar:1024 in=uchar:1024 zero=ushort:64
kernel void sad_blocks(global const uchar *a, global const uchar *b, global ushort *to) {
  int x = get_global_id(0), y = get_global_id(1);
  uint sum = 0;
  for (int r = 0; r < 4; ++r) {
    uchar4 p = vload4(0, a + (y * 3 + r) * 32 + x * 3), q = vload4(0, b + (y * 3 + r) * 32 + x * 2 + 1);
    uint4 d = convert_uint4(abs_diff(p, q));
    sum += d.x + d.y + d.z + d.w;
  }
  to[y * 8 + x] = sum;
}

// launch: radix_count global=64 local=32 in=uint:512 zero=uint:32 slm=64
kernel void radix_count(global const uint *keys, global uint *to, volatile local uint *bins) {
  uint l = get_local_id(0), g = get_group_id(0);
  if (l < 16)
    bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = l; k < 256; k += 32)
    atomic_inc(&bins[keys[g * 256 + k] >> 12 & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    uint below = 0;
    for (uint k = 0; k < l; ++k)
      below += bins[k];
    to[g * 16 + l] = below;
  }
}

// launch: fft8 global=32 local=16 in=float:512:-1..1 zero=float:512 near=1e-4
kernel void fft8(global const float2 *in, global float2 *to) {
  float2 v[8];
  int i = get_global_id(0);
  for (int k = 0; k < 8; ++k)
    v[k] = in[i * 8 + ((k & 1) << 2 | (k & 2) | k >> 2)];
  for (int half_ = 1; half_ < 8; half_ *= 2)
    for (int k = 0; k < 8; k += 2 * half_)
      for (int j = 0; j < half_; ++j) {
        float angle = -3.14159265f * j / half_;
        float2 w = (float2)(cos(angle), sin(angle)), b = v[k + j + half_];
        float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
        v[k + j + half_] = v[k + j] - t;
        v[k + j] += t;
      }
  for (int k = 0; k < 8; ++k)
    to[i * 8 + k] = v[k];
}

// launch: triad global=64 local=64 in=float:512:-4..4 in=float:512:-4..4 zero=float:512 float=1.75 near=1e-5
kernel void triad(global const float8 *a, global const float8 *b, global float8 *to, float s) {
  to[get_global_id(0)] = mad(b[get_global_id(0)], s, a[get_global_id(0)]);
}

// launch: sparse_ell global=64 local=16 in=ushort:512:0..63 in=int:512:-9..9 in=int:64 zero=int:64
kernel void sparse_ell(global const ushort *columns, global const int *values, constant int *x, global int *to) {
  int row = get_global_id(0), sum = 0;
  for (int k = 0; k < 8; ++k) {
    if (values[k * 64 + row] == 0)
      break;
    sum += values[k * 64 + row] * (x[columns[k * 64 + row]] & 0xFFFF);
  }
  to[row] = sum;
}

// launch: lud_diagonal global=16 local=16 in=float:256:1..9 zero=float:256 slm=1024 ulp=256 near=2
kernel void lud_diagonal(global const float *a, global float *to, local float *m) {
  int l = get_local_id(0);
  for (int y = 0; y < 16; ++y)
    m[y * 16 + l] = a[y * 16 + l] + (y == l ? 64.0f : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 15; ++k) {
    if (l > k) {
      m[l * 16 + k] /= m[k * 16 + k];
      for (int x = k + 1; x < 16; ++x)
        m[l * 16 + x] -= m[l * 16 + k] * m[k * 16 + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < 16; ++y)
    to[y * 16 + l] = m[y * 16 + l];
}

// launch: tree_search global=48 local=16 in=ulong:128 in=ulong:48 zero=uint:48
kernel void tree_search(global const ulong *keys, global const ulong *wanted, global uint *to) {
  ulong w = wanted[get_global_id(0)];
  uint at = 1, steps = 0;
  while (at < 128) {
    ulong k = keys[at];
    if (k == w)
      break;
    at = at * 2 + (k < w);
    steps += 1 + (uint)(k >> 60);
  }
  to[get_global_id(0)] = at * 1000 + steps;
}

// launch: monte_carlo global=64 local=32 uint=12345 zero=uint:64 zero=ulong:64
kernel void monte_carlo(uint seed, global uint *inside, global ulong *last) {
  ulong state = (ulong)seed * 6364136223846793005ul + get_global_id(0) * 2 + 1;
  uint hits = 0;
  for (int k = 0; k < 32; ++k) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    uint x = (uint)(state >> 33) & 0xFFFF, y = (uint)(state >> 17) & 0xFFFF;
    hits += mul_hi(x * x, 1u << 31) + mul_hi(y * y, 1u << 31) < 0x40000000u;
  }
  inside[get_global_id(0)] = hits;
  last[get_global_id(0)] = state ^ mul_hi(state, (ulong)seed << 40);
}

// launch: voting global=64 local=32 in=short:256:-100..100 zero=int:16 zero=short:64
kernel void voting(global const short *a, volatile global int *sums, global short *kept) {
  uint i = get_global_id(0);
  short4 v = vload4(i, a);
  short least = min(min(v.x, v.y), min(v.z, v.w)), most = max(max(v.x, v.y), max(v.z, v.w));
  switch ((uint)most & 3) {
  case 0:
    atomic_add(&sums[i & 7], least);
    break;
  case 1:
    atomic_max(&sums[8 + (i & 3)], most - least);
    break;
  case 3:
    atomic_xor(&sums[12 + (i & 3)], least * most);
  }
  kept[i] = add_sat((short)(most * 200), (short)(least * 300));
}
