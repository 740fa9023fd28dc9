// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Work items that part and meet again.

// launch: branches global=128 local=32 in=int:128 zero=int:128
kernel void branches(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  int x = a[i], r = 1;
  if (x & 1) {
    r = x / 3;
    if (x & 2)
      r ^= 0x55;
    else if (x & 4)
      r += 9;
  } else {
    r = x * 5;
    if (x > 100)
      r -= x >> 2;
  }
  to[i] = r;
}

// launch: loops global=128 local=32 in=int:128:0..50 zero=int:128
kernel void loops(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  int n = a[i], sum = 0;
  for (int k = 0; k < n; ++k) {
    if (k % 7 == 3)
      continue;
    if (sum > 300)
      break;
    for (int j = k; j > 0; j /= 2)
      sum += j & n;
  }
  to[i] = sum;
}

// launch: collatz global=96 local=24 in=uint:96:1..1000 zero=uint:96
kernel void collatz(global const uint *a, global uint *to) {
  size_t i = get_global_id(0);
  uint x = a[i], steps = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  to[i] = steps;
}

// launch: switches global=128 local=64 in=uint:128:0..12 zero=int:128
kernel void switches(global const uint *a, global int *to) {
  size_t i = get_global_id(0);
  int r = 0;
  switch (a[i]) {
  case 0: r = 5; break;
  case 1: r = 7;
  case 2: r += 11; break;
  case 3: case 4: r = (int)i; break;
  case 7: for (uint k = 0; k < a[i] + i; ++k) r += k ^ 3; break;
  case 11: return;
  default: r = -1;
  }
  to[i] = r;
}

// launch: early_return global=100 local=20 in=int:100 zero=int:100
kernel void early_return(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  if (a[i] < 0)
    return;
  for (int k = 0;; ++k) {
    to[i] += k;
    if ((a[i] >> k & 3) == 0)
      return;
  }
}

// launch: gotos global=64 local=16 in=int:64:0..30 zero=int:64
kernel void gotos(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  int x = a[i], r = 0;
again:
  r += x;
  if (x > 20) { x -= 7; goto again; }
  if (x > 10) { x -= 3; goto out; }
  x += 2;
  if (x < 8) goto again;
out:
  to[i] = r * 16 + x;
}

int factorial(int n) {
  int r = 1;
  while (n > 1) r *= n--;
  return r;
}
// launch: nested_breaks global=64 local=16 in=int:64:0..9 zero=int:64
kernel void nested_breaks(global const int *a, global int *to) {
  size_t i = get_global_id(0);
  int found = -1;
  for (int x = 0; x < 10 && found < 0; ++x)
    for (int y = 0; y < 10; ++y) {
      if (x * y == a[i] * 3) { found = x * 16 + y; break; }
      if (x + y > 12) break;
    }
  to[i] = found + factorial(a[i]);
}
