// A step of k-means in OpenCL's SIMT style: a work item has a point; then the items of a group add up what the group's
// points are to a cluster each, in local memory. The host adds up the groups' sums: x, y and count of each cluster.
#define GROUP 256

// launch: kmeans global=512 local=256 in=float:800:0..100 in=float:14:0..100 zero=uint:400 zero=float:42 int=400 int=7 near=0.1
kernel void kmeans(global const float2 *points, global const float2 *centroids, global uint *labels,
                   global float *sums, int count, int clusters) {
  local float2 point[GROUP];
  local uint label[GROUP];
  int i = get_global_id(0), l = get_local_id(0);
  uint nearest = 0xffffffff;
  if (i < count) {
    float2 p = points[i];
    float least = FLT_MAX;
    for (int c = 0; c < clusters; c++) {
      float2 d = p - centroids[c];
      float distance = d.x * d.x + d.y * d.y;
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    point[l] = p;
    labels[i] = nearest;
  }
  label[l] = nearest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = l; c < clusters; c += GROUP) {
    float x = 0, y = 0, n = 0;
    for (int k = 0; k < GROUP; k++)
      if (label[k] == c) {
        x += point[k].x;
        y += point[k].y;
        n++;
      }
    global float *to = sums + (get_group_id(0) * clusters + c) * 3;
    to[0] = x;
    to[1] = y;
    to[2] = n;
  }
}
