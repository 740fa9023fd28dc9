// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Floats: what is exact, and elementary functions as far as OpenCL lets them differ.

// launch: arithmetic global=64 local=16 in=float:64 in=float:64 zero=float:384
kernel void arithmetic(global const float *a, global const float *b, global float *to) {
  #pragma OPENCL FP_CONTRACT OFF
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], y = b[i];
  to[i] = x + y;
  to[i + n] = x - y * 2;
  to[i + 2 * n] = x * y;
  to[i + 3 * n] = fma(x, y, 1.5f);
  to[i + 4 * n] = fmin(x, y) + fmax(x, 0.5f);
  to[i + 5 * n] = clamp(x, -1.0f, 1.0f) * fabs(y);
}

// launch: division global=64 local=16 in=float:64 in=float:64:0.1..9 zero=float:192 ulp=3
kernel void division(global const float *a, global const float *b, global float *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = a[i] / b[i];
  to[i + n] = sqrt(b[i]);
  to[i + 2 * n] = rsqrt(b[i]) * 4;
}

// launch: rounding global=64 local=16 in=float:64:-9..9 zero=float:384
kernel void rounding(global const float *a, global float *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  to[i] = floor(x);
  to[i + n] = ceil(x);
  to[i + 2 * n] = trunc(x);
  to[i + 3 * n] = rint(x);
  to[i + 4 * n] = round(x);
  to[i + 5 * n] = x - floor(x);
}

// launch: to_integers global=64 local=16 in=float:64:-300..300 zero=int:512
kernel void to_integers(global const float *a, global int *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  to[i] = (int)x;
  to[i + n] = convert_int_rte(x);
  to[i + 2 * n] = convert_int_rtn(x);
  to[i + 3 * n] = convert_int_rtp(x);
  to[i + 4 * n] = convert_uchar_sat(x);
  to[i + 5 * n] = convert_char_sat_rte(x);
  to[i + 6 * n] = convert_int_sat(x * 1e8f);
  to[i + 7 * n] = convert_uint_sat(x * 1e8f);
}

// launch: to_longs global=64 local=16 in=float:64:-1e12..1e12 zero=long:192
kernel void to_longs(global const float *a, global long *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = (long)a[i];
  to[i + n] = (long)(ulong)fabs(a[i]);
  to[i + 2 * n] = convert_long_rte(a[i] * 1e-6f);
}

// launch: from_integers global=64 local=16 in=int:64 in=long:64 in=uchar:64 zero=float:448
kernel void from_integers(global const int *a, global const long *b, global const uchar *c, global float *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = (float)a[i];
  to[i + n] = (float)(uint)a[i];
  to[i + 2 * n] = (float)b[i];
  to[i + 3 * n] = (float)(ulong)b[i];
  to[i + 4 * n] = (float)c[i];
  to[i + 5 * n] = convert_float_rtz(a[i]);
  to[i + 6 * n] = convert_float_rtp(a[i]);
}

// launch: comparisons global=64 local=16 in=float:64 in=float:64 zero=int:448
kernel void comparisons(global const float *a, global const float *b, global int *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = i & 7 ? a[i] : NAN, y = i & 9 ? b[i] : INFINITY;
  to[i] = isless(x, y) | isgreaterequal(x, y) << 1 | islessgreater(x, y) << 2;
  to[i + n] = isnan(x) | isinf(y) << 1 | isfinite(y) << 2 | isordered(x, y) << 3;
  to[i + 2 * n] = x < y ? 1 : x > y ? 2 : 3;
  to[i + 3 * n] = signbit(x - 3) | isnormal(y) << 1;
  to[i + 4 * n] = as_int(fmin(x, y));
  to[i + 5 * n] = as_int(copysign(y, b[i]));
  to[i + 6 * n] = x == y ? 5 : x != x ? 6 : 7;
}

// launch: trigonometry global=64 local=16 in=float:64:-6..6 zero=float:448 ulp=8 near=1e-6
kernel void trigonometry(global const float *a, global float *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  to[i] = sin(x);
  to[i + n] = cos(x);
  to[i + 2 * n] = tan(x * 0.2f);
  to[i + 3 * n] = atan(x);
  to[i + 4 * n] = atan2(x, 1.5f);
  to[i + 5 * n] = asin(x / 7);
  to[i + 6 * n] = sinh(x * 0.5f) + tanh(x);
}

// launch: exponents global=64 local=16 in=float:64:0.1..8 zero=float:512 ulp=16 near=1e-6
kernel void exponents(global const float *a, global float *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  to[i] = exp(x);
  to[i + n] = exp2(x);
  to[i + 2 * n] = log(x);
  to[i + 3 * n] = log2(x);
  to[i + 4 * n] = pow(x, 1.7f);
  to[i + 5 * n] = log1p(x) + expm1(x * 0.5f);
  to[i + 6 * n] = cbrt(x);
  to[i + 7 * n] = hypot(x, 2.5f);
}

// launch: natives global=64 local=16 in=float:64:0.5..4 zero=float:448 ulp=64 near=1e-5
kernel void natives(global const float *a, global float *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i];
  to[i] = native_sin(x);
  to[i + n] = native_exp(x);
  to[i + 2 * n] = native_log2(x);
  to[i + 3 * n] = native_recip(x);
  to[i + 4 * n] = native_sqrt(x) + native_rsqrt(x);
  to[i + 5 * n] = native_divide(x, 3.0f);
  to[i + 6 * n] = half_cos(x) + half_powr(x, 2.0f);
}

// launch: parts global=64 local=16 in=float:64 zero=float:256 zero=int:128 ulp=1
kernel void parts(global const float *a, global float *to, global int *whole) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = a[i], integral;
  int exponent;
  to[i] = fract(x, &integral) + integral;
  to[i + n] = frexp(x, &exponent);
  to[i + 2 * n] = ldexp(x, (int)i % 9 - 4);
  to[i + 3 * n] = fmod(x, 1.25f) + remainder(x, 0.75f);
  whole[i] = exponent;
  whole[i + n] = ilogb(x);
}

// launch: geometry global=64 local=16 in=float:256 in=float:256 zero=float:320 ulp=16 near=1e-5
kernel void geometry(global const float4 *a, global const float4 *b, global float *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = dot(a[i], b[i]);
  to[i + n] = length(a[i].xyz);
  to[i + 2 * n] = distance(a[i], b[i]);
  float4 c = cross(a[i], b[i]) + normalize(b[i]);
  to[i + 3 * n] = c.x + c.y + c.z;
  to[i + 4 * n] = mix(a[i].x, b[i].x, 0.25f) + step(a[i].y, b[i].y) + smoothstep(-4.0f, 4.0f, a[i].z) + sign(b[i].w);
}

// launch: halves global=64 local=16 in=half:64 zero=half:64 zero=float:64 in=half:256 zero=float:256
kernel void halves(global const half *a, global half *to, global float *wide, global const half *v, global float *vs) {
  size_t i = get_global_id(0);
  float x = vload_half(i, a);
  wide[i] = x * 3;
  vstore_half_rtz(x * 1.37f, i, to);
  vstore4(vload_half4(i, v) + 1, i, vs);
}
