// The 3x3 box filter over packed RGB bytes for ispc: rows y0 .. y1 - 1, without the columns at the edge.

export void ispc_float(const uniform uint8 src[], uniform uint8 dst[], uniform int pitch, uniform int y0, uniform int y1) {
  for (uniform int y = y0; y < y1; y++) {
    const uniform uint8 *uniform a = src + (y - 1) * pitch;
    const uniform uint8 *uniform b = a + pitch;
    const uniform uint8 *uniform c = b + pitch;
    uniform uint8 *uniform o = dst + y * pitch;
    foreach (x = 3 ... pitch - 3) {
      float s = (float)a[x - 3] + a[x] + a[x + 3] + b[x - 3] + b[x] + b[x + 3] + c[x - 3] + c[x] + c[x + 3];
      o[x] = (uint8)(int)(s * 0.1111f);
    }
  }
}

export void ispc_integer(const uniform uint8 src[], uniform uint8 dst[], uniform int pitch, uniform int y0, uniform int y1) {
  for (uniform int y = y0; y < y1; y++) {
    const uniform uint8 *uniform a = src + (y - 1) * pitch;
    const uniform uint8 *uniform b = a + pitch;
    const uniform uint8 *uniform c = b + pitch;
    uniform uint8 *uniform o = dst + y * pitch;
    foreach (x = 3 ... pitch - 3) {
      uint16 s = (uint16)a[x - 3] + (uint16)a[x] + (uint16)a[x + 3] + (uint16)b[x - 3] + (uint16)b[x] + (uint16)b[x + 3] +
                 (uint16)c[x - 3] + (uint16)c[x] + (uint16)c[x + 3];
      o[x] = (uint8)(((uint32)s * 7282) >> 16);
    }
  }
}
