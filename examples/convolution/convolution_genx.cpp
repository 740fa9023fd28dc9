// Convolutions of images with many channels, by 1x1 and 3x3 windows. Channels are innermost (NHWC), padded to 16 in the
// input and to 32 in the output; the input has a border of zeros where windows reach over it.
#include <cm/cm.h>

#define PIXELS 8 // a thread computes 8 pixels of a row ...
#define OUT 32   // ... and 32 channels of each: 256 sums in registers
#define IN 16    // channels of the input at a time

// Adds IN channels of PIXELS pixels, `step` bytes apart, times the weights of one place of the window.
_GENX_ inline void accumulate(SurfaceIndex in, int at, int step, SurfaceIndex weights, int weight,
                              matrix_ref<float, PIXELS, OUT> sum) {
  matrix<float, PIXELS, IN> pixels;
#pragma unroll
  for (int p = 0; p < PIXELS; p++)
    read(in, at + p * step, pixels.row(p));
#pragma unroll
  for (int c = 0; c < IN; c++) {
    vector<float, OUT> w;
    read(weights, weight + c * OUT * 4, w);
#pragma unroll
    for (int p = 0; p < PIXELS; p++)
      sum.row(p) += pixels(p, c) * w;
  }
}

// Threads: across, groups of pixels; down, for each row of each image all groups of output channels, so that the pixels
// of a row are read from far away once. A row of the input has `inWidth` pixels of `inChannels`, one of the output
// `outWidth` of `outChannels`, all of them padded.
template <int SIZE> _GENX_ inline void convolve(SurfaceIndex in, SurfaceIndex weights, SurfaceIndex out, int height,
                                                int inWidth, int inChannels, int outWidth, int outChannels) {
  int x = get_thread_origin_x() * PIXELS, groups = outChannels / OUT, row = get_thread_origin_y() / groups;
  int group = get_thread_origin_y() - row * groups, inRow = row + row / height * (SIZE - 1), pixel = inChannels * 4;
  int weight = group * SIZE * SIZE * inChannels * OUT * 4;
  matrix<float, PIXELS, OUT> sum = 0;
  for (int dy = 0; dy < SIZE; dy++)
    for (int dx = 0; dx < SIZE; dx++) {
      int at = ((inRow + dy) * inWidth + x + dx) * pixel;
      for (int c = 0; c < inChannels; c += IN) {
        accumulate(in, at, pixel, weights, weight, sum);
        at += IN * 4;
        weight += IN * OUT * 4;
      }
    }
  int to = ((row * outWidth + x) * outChannels + group * OUT) * 4;
#pragma unroll
  for (int p = 0; p < PIXELS; p++)
    write(out, to + p * outChannels * 4, sum.row(p));
}

extern "C" _GENX_MAIN_ void convolve1x1(SurfaceIndex in, SurfaceIndex weights, SurfaceIndex out, int height,
                                        int inWidth, int inChannels, int outWidth, int outChannels) {
  convolve<1>(in, weights, out, height, inWidth, inChannels, outWidth, outChannels);
}

extern "C" _GENX_MAIN_ void convolve3x3(SurfaceIndex in, SurfaceIndex weights, SurfaceIndex out, int height,
                                        int inWidth, int inChannels, int outWidth, int outChannels) {
  convolve<3>(in, weights, out, height, inWidth, inChannels, outWidth, outChannels);
}
