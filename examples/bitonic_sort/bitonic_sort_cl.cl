// The bitonic sort in OpenCL's SIMT style, with vectors of four keys: a kernel for each step, whose work items put four
// pairs in order; distances of 2 and 1 are inside a vector.

// Keys whose place is marked by `lower` meet those of `other`: the lower ones keep the smaller key where `up`.
uint4 exchange(uint4 v, uint4 other, int4 lower, int up) { return select(max(v, other), min(v, other), up ? lower : ~lower); }

// launch: sort_four global=64 local=64 in=uint:256
kernel void sort_four(global uint4 *keys) {
  int i = get_global_id(0);
  uint4 v = keys[i];
  v = select(max(v, v.yxwz), min(v, v.yxwz), (int4)(-1, 0, 0, -1));
  v = exchange(v, v.zwxy, (int4)(-1, -1, 0, 0), (i & 1) == 0);
  keys[i] = exchange(v, v.yxwz, (int4)(-1, 0, -1, 0), (i & 1) == 0);
}

// launch: sort_far global=32 local=32 in=uint:256 int=64 int=16
kernel void sort_far(global uint4 *keys, int size, int distance) {
  int i = get_global_id(0), d = distance / 4, left = (i & ~(d - 1)) * 2 + (i & (d - 1));
  uint4 a = keys[left], b = keys[left + d];
  int up = (left * 4 & size) == 0;
  keys[left] = up ? min(a, b) : max(a, b);
  keys[left + d] = up ? max(a, b) : min(a, b);
}

// launch: sort_near global=64 local=64 in=uint:256 int=64
kernel void sort_near(global uint4 *keys, int size) {
  int i = get_global_id(0), up = (i * 4 & size) == 0;
  uint4 v = keys[i];
  v = exchange(v, v.zwxy, (int4)(-1, -1, 0, 0), up);
  keys[i] = exchange(v, v.yxwz, (int4)(-1, 0, -1, 0), up);
}
