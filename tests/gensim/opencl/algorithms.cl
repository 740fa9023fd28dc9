// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Algorithms as people write them: sorting in local memory, tiles, loops that groups leave together, state machines.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// launch: bitonic_pairs global=256 local=64 in=ulong:256 zero=ulong:256
kernel void bitonic_pairs(global const ulong *a, global ulong *to) {
  local ulong t[64];
  uint l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint size = 2; size <= 64; size <<= 1)
    for (uint step = size >> 1; step; step >>= 1) {
      uint other = l ^ step;
      ulong mine = t[l], theirs = t[other];
      bool up = (l & size) == 0, low = l < other;
      bool takes = (mine > theirs) == (up == low);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (takes)
        t[l] = theirs;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  to[get_global_id(0)] = t[l];
}

// launch: tiled_halves global=16,16 local=8,8 in=half:256:-4..4 in=half:256:-4..4 zero=float:256 near=1e-2
kernel void tiled_halves(global const half *a, global const half *b, global float *to) {
  local ushort ta[64], tb[72]; // PoCL knows halves as what memory holds only
  int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < 16; k += 8) {
    ta[y * 8 + x] = ((global const ushort *)a)[gy * 16 + k + x];
    vstore_half_rte(vload_half((k + y) * 16 + gx, b) * 0.5f, y * 9 + x, (local half *)tb);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i += 4) {
      float4 row = vload_half4(y * 2 + i / 4, (local half *)ta);
      for (int n = 0; n < 4; ++n)
        sum = mad(((float *)&row)[n], vload_half((i + n) * 9 + x, (local half *)tb), sum);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  to[gy * 16 + gx] = sum;
}

float largest(volatile global uint *to, float value) {
  uint old = *to, seen;
  do {
    seen = old;
    if (as_float(seen) >= value)
      break;
    old = atomic_cmpxchg(to, seen, as_uint(value));
  } while (old != seen);
  return value;
}

// launch: float_extremes global=128 local=32 in=float:128:0..1000 zero=uint:4 zero=uint:4
kernel void float_extremes(global const float *a, volatile global uint *most, volatile global uint *sums) {
  uint i = get_global_id(0);
  largest(&most[i & 3], a[i]);
  uint old = sums[i & 3], seen; // whole numbers, whose sum is exact
  do {
    seen = old;
    old = atomic_cmpxchg(&sums[i & 3], seen, as_uint(as_float(seen) + rint(a[i])));
  } while (old != seen);
}

// launch: machine global=128 local=32 in=uchar:4096:0..19 zero=int:128
kernel void machine(global const uchar *code, global int *to) {
  int x = get_global_id(0), y = 1, stack[4] = {1, 2, 3, 4}, top = 0;
  for (int pc = 0; pc < 32; ++pc)
    switch (code[get_global_id(0) * 32 + pc]) {
    case 0: x += y; break;
    case 1: x -= y; break;
    case 2: x *= y; break;
    case 3: y ^= x; break;
    case 4: y = x >> 3; break;
    case 5: y = x << 2; // and
    case 6: x = ~x; break;
    case 7: x = min(x, y); break;
    case 8: y = max(x, y); break;
    case 9: if (x & 1) pc++; break;
    case 10: stack[top++ & 3] = x; break;
    case 11: x = stack[--top & 3]; break;
    case 12: y = popcount(x); break;
    case 13: x = rotate(x, 5); break;
    case 14: if (y > 1000) goto out; break;
    case 15: x = abs(x); break;
    case 16: y = clz(y); // and
    case 17: x = mul24(x & 0xfff, y & 0xfff); break;
    case 18: x = hadd(x, y); break;
    default: continue;
    }
out:
  to[get_global_id(0)] = x ^ y * 3 ^ top;
}

// launch: rounds global=128 local=32 in=int:128:1..60 zero=int:128 zero=int:4
kernel void rounds(global const int *a, global int *to, global int *times) {
  local int most, t[32];
  int l = get_local_id(0), left = a[get_global_id(0)], sum = 0, round = 0;
  bool any = true;
  while (any) {
    if (l == 0)
      most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(&most, left);
    t[l] = left;
    barrier(CLK_LOCAL_MEM_FENCE);
    any = most > 0 && ++round < 20;
    for (int k = 0; k < 32; ++k) {
      if (t[k] < 0)
        continue;
      if (k > l + left)
        break;
      sum += t[k] ^ k;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    left = left > 7 ? left / 3 : left - 2;
  }
  to[get_global_id(0)] = sum;
  if (l == 0)
    times[get_group_id(0)] = round;
}

// launch: threes global=64 local=16 in=uchar:192 in=short:192 in=int:192 in=float:192 zero=uchar:192 zero=short:192 zero=int:192 zero=float:192
kernel void threes(global const uchar *a, global const short *b, global const int *c, global const float *d,
                   global uchar *ta, global short *tb, global int *tc, global float *td) {
  size_t i = get_global_id(0), j = 63 - i;
  vstore3(vload3(j, a).zxy + (uchar)3, i, ta);
  vstore3(vload3(j, b).yzx - (short3)(1, 2, 3), i, tb);
  vstore3(vload3(j, c) ^ vload3(i, c).zyx, i, tc);
  vstore3(vload3(j, d).zzx * -1.0f, i, td); // its negation is of the first element alone, without optimisation
}

// launch: strided_copies global=64 local=16 in=float:256 zero=float:256 zero=int:64
kernel void strided_copies(global const float4 *a, global float4 *to, global int *order) {
  local float4 t[16];
  local int n[16];
  event_t e = async_work_group_strided_copy(t, a + get_group_id(0), 16, 4, 0);
  n[get_local_id(0)] = get_local_id(0) * 3;
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  t[get_local_id(0)] += 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t two[2];
  two[0] = async_work_group_strided_copy(to + get_group_id(0), t, 16, 4, 0);
  two[1] = async_work_group_copy(order + get_group_id(0) * 16, n, 16, 0);
  wait_group_events(2, two);
}

// launch: wide_conversions global=16 local=16 in=float:256:-300..300 in=int:256:-70000..70000 zero=char:256 zero=uchar:256 zero=short:256 zero=ushort:256
kernel void wide_conversions(global const float16 *a, global const int16 *b, global char16 *tc, global uchar16 *tu,
                             global short16 *ts, global ushort16 *tw) {
  size_t i = get_global_id(0);
  tc[i] = convert_char16_sat_rte(a[i]) ^ convert_char16_sat(b[i]);
  tu[i] = convert_uchar16_sat_rtp(a[i]) + convert_uchar16(b[i]);
  ts[i] = convert_short16_sat_rtn(a[i] * 300.0f) ^ convert_short16_sat(b[i]);
  tw[i] = convert_ushort16_sat_rtz(a[i] * 500.0f) - convert_ushort16_sat(b[i]);
}

// launch: wide_bits global=64 local=16 in=ulong:64 in=ulong:64 in=long:64 zero=ulong:640
kernel void wide_bits(global const ulong *a, global const ulong *b, global const long *c, global ulong *to) {
  size_t i = get_global_id(0);
  global ulong *t = to + i * 10;
  t[0] = mul_hi(a[i], b[i]);
  t[1] = mul_hi(c[i], (long)b[i]);
  t[2] = rotate(a[i], b[i] | 1);
  t[3] = clz(a[i] >> (b[i] & 63));
  t[4] = popcount(a[i] & b[i]);
  t[5] = abs_diff(c[i], (long)a[i]);
  t[6] = mad_hi(a[i], b[i], (ulong)c[i]);
  t[7] = add_sat(c[i], (long)a[i]);
  t[8] = rhadd(a[i], b[i]);
  t[9] = clamp(c[i], (long)-1000000000000L, (long)(b[i] >> 20));
}

// launch: slices global=8,4,4 local=8,2,2 image=RGBA16_SINT:8x4x4 array=RGBA8_UNORM:8x4x4 zero=int:512 zero=float:512 ulp=1
kernel void slices(read_only image3d_t a, read_only image2d_array_t b, global int *to, global float *tf) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * 4 + y) * 8 + x;
  int4 p = read_imagei(a, nearest, (int4)(x + 1, y - 1, z ^ 1, 0)), q = read_imagei(a, (int4)(7 - x, y, z, 0));
  vstore4(p - q, i, to);
  vstore4(read_imagef(b, nearest, (int4)(x - 2, y + 1, 3 - z, 0)), i, tf);
}

// launch: layers_of_numbers global=8,4,3 local=8,4,1 array=RGBA8_UINT:8x4x3 zero=uint:384 zero=int:4
kernel void layers_of_numbers(read_only image2d_array_t a, global uint *to, global int *size) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  vstore4(read_imageui(a, (int4)(7 - x, 3 - y, z, 0)), (z * 4 + y) * 8 + x, to);
  if (x + y + z == 0)
    vstore4((int4)(get_image_width(a), get_image_height(a), (int)get_image_array_size(a), 9), 0, size);
}

// launch: parts_of_floats global=64 local=16 in=float:64:-1e9..1e9 in=int:64:-20..20 zero=float:256 zero=int:128
kernel void parts_of_floats(global const float *a, global const int *b, global float *to, global int *whole) {
  size_t i = get_global_id(0);
  int e;
  to[i * 4] = frexp(a[i], &e);
  to[i * 4 + 1] = ldexp(a[i], b[i]);
  to[i * 4 + 2] = nextafter(a[i], (float)b[i]);
  to[i * 4 + 3] = copysign(a[i], (float)b[i]);
  whole[i * 2] = e;
  whole[i * 2 + 1] = ilogb(a[i]) * 8 + isnormal(a[i]) + 2 * signbit(a[i]);
}

// launch: dependent_groups global=96 local=32 in=uint:96 zero=uint:32
kernel void dependent_groups(global const uint *a, volatile global uint *to) {
  local uint bins[8], marks[8];
  uint l = get_local_id(0), v = a[get_global_id(0)];
  if (l < 8)
    bins[l] = marks[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[v & 7], v >> 28);
  atomic_xor(&marks[(v >> 3) & 7], v & 0xf0f00000);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8) {
    atomic_add(&to[l], bins[l]);
    atomic_inc(&to[8 + l]);
    atomic_max(&to[16 + l], marks[l]);
    atomic_or(&to[24 + l], marks[l]);
  }
}
