// A sum that loops inside an unrolled one carry is read behind the last of them.
// RUN: python3 -c "import struct; open('%t.in', 'wb').write(struct.pack('64H', *(i * 7919 %% 65536 for i in range(64))))"
// RUN: for d in cpu gensim:skl check; do cmrun %s sums --threads 1x1 --device $d --arg buffer:in=%t.in --arg buffer:zero=128,out=%t.$d || exit 1; done
// RUN: cmp %t.cpu %t.check
// RUN: cmp %t.cpu %t.gensim:skl
// RUN: python3 -c "import struct; v = [i * 7919 %% 65536 for i in range(64)]; expected = 39 + sum(2 * (v[15 - j] & 63) for t in (2, 4, 8, 16) for j in range(t)); w = struct.unpack('32I', open('%t.cpu', 'rb').read()); assert w[31] == expected and list(w[:16]) == v[1:17], (w, expected)"
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void sums(SurfaceIndex in, SurfaceIndex out) {
  vector<ushort, 16> p;
  vector<ushort, 64> ramp;
  vector<int, 32> w = 0;
  read(in, 0, p);
  read(in, 0, ramp);
  float sum = 39;
  for (int t = 2; t <= 16; t *= 2)
    for (int j = 0; j < t; ++j)
      for (int k = 0; k < 2; ++k) {
        sum += (float)((uint)p(15 - j) & 63);
        w(j) = ramp(j + k);
      }
  w(31) = (uint)sum;
  write(out, 0, w);
}
