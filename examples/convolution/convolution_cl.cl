// The convolution in OpenCL's SIMT style: a work item has an output of a pixel, neighbours in a group the next outputs.
// Images are NHWC, with a border of zeros where windows reach over them; weights have outputs innermost.

// launch: convolve global=16,5,3 local=16,1,1 in=float:105 in=float:270 zero=float:150 int=3 int=5 int=3 int=10 near=0.001
kernel void convolve(global const float *in, global const float *weights, global float *out, int size, int width,
                     int channels, int outputs) {
  int o = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
  if (o >= outputs)
    return;
  float sum = 0;
  for (int dy = 0; dy < size; dy++)
    for (int dx = 0; dx < size; dx++) {
      global const float *pixel = in + ((y + dy) * (width + size - 1) + x + dx) * channels;
      global const float *w = weights + (dy * size + dx) * channels * outputs + o;
      for (int c = 0; c < channels; c++)
        sum += pixel[c] * w[c * outputs];
    }
  out[(y * width + x) * outputs + o] = sum;
}
