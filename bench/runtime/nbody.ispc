// Accelerations of n bodies for ispc: a body a lane.

export void ispc_nbody(uniform int n, const uniform float x[], const uniform float y[], const uniform float z[],
                       const uniform float m[], uniform float softening, uniform float ax[], uniform float ay[],
                       uniform float az[]) {
  foreach (i = 0 ... n) {
    float sx = 0, sy = 0, sz = 0;
    for (uniform int j = 0; j < n; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      float q = rsqrt(dx * dx + dy * dy + dz * dz + softening);
      float f = m[j] * q * q * q;
      sx += f * dx;
      sy += f * dy;
      sz += f * dz;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}
