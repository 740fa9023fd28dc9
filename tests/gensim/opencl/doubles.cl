// RUN: %build/bin/opencl-check %s --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// targets: skl
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// launch: arithmetic global=64 local=16 in=double:64 in=double:64 zero=double:320
kernel void arithmetic(global const double *a, global const double *b, global double *to) {
  #pragma OPENCL FP_CONTRACT OFF
  size_t i = get_global_id(0), n = get_global_size(0);
  double x = a[i], y = b[i];
  to[i] = x + y;
  to[i + n] = x * y - x;
  to[i + 2 * n] = fma(x, y, 0.5);
  to[i + 3 * n] = x > y ? fmax(x, 1.0) : fabs(y);
  to[i + 4 * n] = floor(x) + rint(y);
}

// launch: division global=64 local=16 in=double:64 in=double:64:0.1..9 zero=double:128 ulp=1
kernel void division(global const double *a, global const double *b, global double *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = a[i] / b[i];
  to[i + n] = sqrt(b[i]);
}

// launch: conversions global=64 local=16 in=double:64:-1e5..1e5 in=int:64 in=long:64 zero=double:192 zero=float:64 zero=int:64 zero=long:64
kernel void conversions(global const double *a, global const int *b, global const long *c, global double *to, global float *narrow,
                        global int *whole, global long *wide) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = b[i];
  to[i + n] = (uint)b[i];
  to[i + 2 * n] = (double)(float)a[i];
  narrow[i] = (float)a[i];
  whole[i] = (int)a[i];
  wide[i] = (long)(a[i] * 1e6) + (c[i] & 1);
}

// launch: elementary global=64 local=16 in=double:64:0.1..9 zero=double:640 ulp=4
kernel void elementary(global const double *a, global double *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  double x = a[i];
  to[i] = sin(x);
  to[i + n] = cos(x);
  to[i + 2 * n] = exp(x);
  to[i + 3 * n] = log(x);
  to[i + 4 * n] = pow(x, 1.5);
  to[i + 5 * n] = atan(x);
  to[i + 6 * n] = cbrt(x);
  to[i + 7 * n] = tanh(x);
  to[i + 8 * n] = log2(x) + exp2(x);
  to[i + 9 * n] = fmod(x, 0.7) + hypot(x, 2.0);
}
