// The separable 5x5 Gaussian over packed RGB bytes, but for two rows and six bytes at the edges. `column` holds a row.
export void gauss_ispc(const uniform uint8 image[], uniform uint8 out[], uniform uint16 column[], uniform int pitch, uniform int height) {
  const uint16 four = 4, six = 6, half = 128;
  for (uniform int y = 2; y < height - 2; y++) {
    const uniform uint8 *uniform row = image + (y - 2) * pitch;
    foreach (x = 0 ... pitch) {
      uint16 a = row[x], b = row[x + pitch], c = row[x + 2 * pitch], d = row[x + 3 * pitch], e = row[x + 4 * pitch];
      column[x] = a + e + (b + d) * four + c * six;
    }
    uniform uint8 *uniform result = out + y * pitch;
    foreach (x = 6 ... pitch - 6) {
      uint16 sum = column[x - 6] + column[x + 6] + (column[x - 3] + column[x + 3]) * four + column[x] * six;
      result[x] = (uint8)((sum + half) >> 8);
    }
  }
}
