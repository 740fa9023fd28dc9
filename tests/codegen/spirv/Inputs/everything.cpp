// Operations of all kinds, for the SPIR-V writer.
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void numbers(SurfaceIndex in, SurfaceIndex out, int n, float f) {
  vector<int, 16> a;
  vector<float, 16> x;
  read(in, 0, a);
  read(in, 64, x);
  vector<uint, 16> u = a;
  vector<int, 16> i = a + n;
  i = (i - 7) * a ^ (a | 5) & ~i;
  i += (a << 3) + (a >> 2);
  i += u >> 1;
  i += a / (n | 1) + a % 7;
  i += u / 3u + u % 5u;
  i = cm_max<int>(i, a) + cm_min<int>(i, n) + cm_abs<int>(a);
  i += cm_max<uint>(u, 7u) + cm_min<uint>(u, 9u);
  i.merge(a, i > a);
  i.merge(1, u <= 9u);
  write(out, 0, i);
  vector<float, 16> y = x * f + 2.0f;
  y = y / (x - 1.0f);
  y += cm_max<float>(x, f) + cm_min<float>(x, 1.0f) + cm_abs<float>(x);
  y += cm_sqrt(x) + cm_rndd<float>(x) + cm_rndu<float>(x) + cm_rndz<float>(x) + cm_rnde<float>(x);
  y += cm_sin(x) + cm_cos(x) + cm_exp(x) + cm_log(x) + cm_pow(x, y) + cm_inv(x) + cm_rsqrt(x);
  y.merge(x, y >= x);
  y.merge(f, y != x);
  y = -y;
  write(out, 64, y);
  vector<short, 16> s = x;
  vector<uchar, 16> b = vector<uchar, 16>(y, SAT);
  vector<half, 16> h = x;
  vector<int, 16> t = s;
  t += b;
  y = h;
  y += t;
  write(out, 128, t);
  write(out, 192, y);
}

extern "C" _GENX_MAIN_ void flow(SurfaceIndex in, SurfaceIndex out, int n, vector<int, 8> v) {
  int table[24];
  for (int i = 0; i < n; ++i)
    table[i % 24] = i * v(i & 7);
  vector<int, 8> sum = 0;
  for (int i = 0; i < n; ++i) {
    switch (i % 4) {
    case 0:
      sum += table[i % 24];
      break;
    case 1:
      sum -= v;
      break;
    case 2:
      sum(i & 7) = 5;
      break;
    default:
      sum *= 3;
    }
    SIMD_IF_BEGIN(sum > n) {
      sum -= 1;
    } SIMD_ELSE {
      sum += 2;
    } SIMD_IF_END;
  }
  if (v.any() && !(sum == v).all())
    write(out, 0, sum);
  write(out, 32, cm_sum<int>(v) + cm_reduced_max<int>(sum));
}

extern "C" _GENX_MAIN_ void images(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 8, 32> m;
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 8;
  read(in, x, y, m);
  m.select<8, 1, 16, 2>(0, 0) += 3;
  write(out, x, y, m);
}

// What LLVM has functions for, and the dialect has not.
extern "C" _GENX_MAIN_ void found(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> a, b, sign = 0;
  read(in, 0, a);
  read(in, 64, b);
  sign.merge(1, a > b);
  sign.merge(-1, a < b);
  vector<uint, 16> u = a, v = b;
  u = (u << 7) | (u >> 25);
  u ^= (v << 24) | ((v & 0xff00) << 8) | ((v >> 8) & 0xff00) | (v >> 24);
  u += cm_bf_reverse<uint>(v);
  for (int k = 0; k < 16; ++k) {
    int s;
    sign(k) += __builtin_add_overflow(a(k), n, &s) ? 3 : s;
  }
  write(out, 0, sign);
  write(out, 64, u);
  vector<float, 16> x = a, y;
  for (int k = 0; k < 16; ++k)
    y(k) = __builtin_roundf(x(k)) + __builtin_fmodf(x(k), 3.0f) + (__builtin_isnormal(x(k)) ? 1 : 0);
  y += cm_exp(x) + cm_reduced_max<float>(x) + cm_atan(y);
  write(out, 128, y);
}
