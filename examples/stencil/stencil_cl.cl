// A step of the stencil in OpenCL's SIMT style: a work item has a cell.

// launch: stencil global=48,16 local=16,4 in=float:520 zero=float:520 int=40 int=13 float=0.25 float=0.15 float=0.05 near=0.0001
kernel void stencil(global const float *in, global float *out, int width, int height, float center, float cardinal,
                    float diagonal) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  global const float *at = in + y * width + x;
  float cell = at[0];
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    cell = center * cell + cardinal * (at[-1] + at[1] + at[-width] + at[width]) +
           diagonal * (at[-width - 1] + at[-width + 1] + at[width - 1] + at[width + 1]);
  out[y * width + x] = cell;
}
