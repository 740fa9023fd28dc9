// Loops that do one thing all the time, for figures that were measured on hardware (peaks.test).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define FOUR(step) step step step step
#define STEPS(step) FOUR(FOUR(FOUR(step)))

// Two values that take turns, each made of the other: nothing of it can be left out.
#define PEAK(name, type, step)                                                                                         \
  kernel void name(global type *to, float from) {                                                                      \
    type a = (type)from, b = (type)get_local_id(0);                                                                    \
    for (int k = 0; k < 4; ++k) {                                                                                      \
      STEPS(step)                                                                                                      \
    }                                                                                                                  \
    to[get_global_id(0)] = a + b;                                                                                      \
  }

PEAK(floats, float, a = mad(b, a, b); b = mad(a, b, a);)
PEAK(halves, half, a = mad(b, a, b); b = mad(a, b, a);)
PEAK(doubles, double, a = mad(b, a, b); b = mad(a, b, a);)
PEAK(dwords, int, a = b * a + b; b = a * b + a;)
