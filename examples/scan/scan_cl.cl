// Prefix sums in OpenCL's SIMT style, after Blelloch: a group sums 512 elements up a tree in local memory and hands the
// sums down again. Totals of groups are scanned by the same kernel, and added.
#define GROUP 256

// launch: scan_blocks global=512 local=256 in=uint:1000 zero=uint:1000 zero=uint:2 int=1000
kernel void scan_blocks(global const uint *in, global uint *out, global uint *totals, int count) {
  local uint tree[2 * GROUP];
  int l = get_local_id(0), first = get_group_id(0) * 2 * GROUP;
  uint a = first + 2 * l < count ? in[first + 2 * l] : 0, b = first + 2 * l + 1 < count ? in[first + 2 * l + 1] : 0;
  tree[2 * l] = a;
  tree[2 * l + 1] = b;
  int offset = 1;
  for (int d = GROUP; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      tree[offset * (2 * l + 2) - 1] += tree[offset * (2 * l + 1) - 1];
    offset *= 2;
  }
  if (l == 0) {
    totals[get_group_id(0)] = tree[2 * GROUP - 1];
    tree[2 * GROUP - 1] = 0;
  }
  for (int d = 1; d <= GROUP; d *= 2) {
    offset /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      int low = offset * (2 * l + 1) - 1, high = offset * (2 * l + 2) - 1;
      uint t = tree[low];
      tree[low] = tree[high];
      tree[high] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first + 2 * l < count)
    out[first + 2 * l] = tree[2 * l] + a;
  if (first + 2 * l + 1 < count)
    out[first + 2 * l + 1] = tree[2 * l + 1] + b;
}

// launch: add_totals global=512 local=256 in=uint:1000 in=uint:2 int=1000
kernel void add_totals(global uint *out, global const uint *totals, int count) {
  int group = get_group_id(0), at = group * 2 * GROUP + get_local_id(0);
  uint before = group ? totals[group - 1] : 0;
  if (at < count)
    out[at] += before;
  if (at + GROUP < count)
    out[at + GROUP] += before;
}
