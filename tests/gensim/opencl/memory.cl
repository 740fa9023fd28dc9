// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Global memory: sizes, strides, pointers.

// launch: gather global=128 local=32 in=uint:128:0..127 in=long:128 zero=long:128
kernel void gather(global const uint *index, global const long *a, global long *to) {
  size_t i = get_global_id(0);
  to[i] = a[index[i]];
}

// launch: unaligned global=32 local=16 in=uchar:256 zero=uint:32 zero=uchar:128
kernel void unaligned(global const uchar *a, global uint *to, global uchar *bytes) {
  size_t i = get_global_id(0);
  to[i] = a[i * 3] | a[i * 3 + 1] << 8 | a[i * 3 + 2] << 16 | a[i * 5] << 24;
  vstore3(vload3(i, a).zyx, i, bytes);
}

// launch: pointers global=64 local=16 in=int:64 in=int:64 zero=int:64
kernel void pointers(global const int *a, global const int *b, global int *to) {
  size_t i = get_global_id(0);
  global const int *p = i % 3 ? a : b;
  global const int *end = p + 64;
  int sum = 0;
  for (p += i; p < end; p += 7)
    sum += *p;
  to[i] = sum;
}

typedef struct { char tag; int value; short pair[2]; } Item;
// launch: records global=32 local=16 in=uchar:384 zero=uchar:384
kernel void records(global const Item *a, global Item *to) {
  size_t i = get_global_id(0);
  Item x = a[i];
  x.tag += 1;
  x.value = x.value * 3 + x.tag;
  x.pair[i & 1] ^= x.pair[0];
  to[31 - i].tag = x.tag;
  to[31 - i].value = x.value;
  to[31 - i].pair[0] = x.pair[1];
  to[31 - i].pair[1] = x.pair[0];
}

// launch: bytes_and_words global=64 local=32 in=uchar:64 in=ushort:64 zero=uchar:64 zero=ushort:64
kernel void bytes_and_words(global const uchar *a, global const ushort *b, global uchar *to, global ushort *words) {
  size_t i = get_global_id(0);
  if (a[i] & 1)
    to[63 - i] = a[i] / 3;
  if (b[i] > 1000)
    words[i ^ 1] = b[i] * 7;
}

// launch: constant_buffer global=64 local=16 in=float:64 zero=float:64
kernel void constant_buffer(constant float *a, global float *to) {
  size_t i = get_global_id(0);
  to[i] = a[(i * 5) & 63] + a[3];
}

// launch: async global=64 local=32 in=int:64 zero=int:64
kernel void async(global const int *a, global int *to) {
  local int t[32];
  event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);
  wait_group_events(1, &e);
  to[get_global_id(0)] = t[31 - get_local_id(0)] + 1;
}
