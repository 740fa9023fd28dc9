#include <cm/cm.h>

#define TILE 4096 // bodies that shared local memory holds: 64 KB
#define MINE 16   // bodies of a thread

// One step of a simulation in which every body attracts every other. Buffers of float4: x, y, z and mass; velocities. A
// thread moves 16 bodies; the threads of a group load the bodies that attract them to shared local memory, 4096 at a
// time.
extern "C" _GENX_MAIN_ void nbody(SurfaceIndex positions, SurfaceIndex velocities, SurfaceIndex newPositions,
                                  SurfaceIndex newVelocities, int bodies, float dt, float softening) {
  cm_slm_init(TILE * 16);
  uint tile = cm_slm_alloc(TILE * 16);
  uint first = (cm_linear_group_id() * cm_linear_local_size() + cm_linear_local_id()) * MINE;
  vector<float, MINE * 4> p, v;
#pragma unroll
  for (int i = 0; i < MINE * 4; i += 32) {
    read(positions, first * 16 + i * 4, p.select<32, 1>(i));
    read(velocities, first * 16 + i * 4, v.select<32, 1>(i));
  }
  vector<float, MINE> x = p.select<MINE, 4>(0), y = p.select<MINE, 4>(1), z = p.select<MINE, 4>(2);
  vector<float, MINE> ax = 0, ay = 0, az = 0;
  for (int start = 0; start < bodies; start += TILE) {
    cm_slm_load(tile, positions, start * 16, TILE * 16); // all threads meet at its end
    for (int j = 0; j < TILE; j += 8) {
      vector<float, 32> others;
      cm_slm_block_read(tile, j * 16, others);
      matrix<float, 8, MINE> dx, dy, dz, mass; // of eight bodies: chains of instructions that do not wait for each other
#pragma unroll
      for (int k = 0; k < 8; k++) {
        dx.row(k) = others(4 * k) - x;
        dy.row(k) = others(4 * k + 1) - y;
        dz.row(k) = others(4 * k + 2) - z;
        mass.row(k) = others(4 * k + 3);
      }
      matrix<float, 8, MINE> distance = softening + dx * dx + dy * dy + dz * dz;
      matrix<float, 8, MINE> inverse = cm_rsqrt<float>(distance.format<float>());
      matrix<float, 8, MINE> pull = mass * inverse * inverse * inverse;
#pragma unroll
      for (int k = 0; k < 8; k++) {
        ax += dx.row(k) * pull.row(k);
        ay += dy.row(k) * pull.row(k);
        az += dz.row(k) * pull.row(k);
      }
    }
    cm_barrier();
  }
  v.select<MINE, 4>(0) += ax * dt;
  v.select<MINE, 4>(1) += ay * dt;
  v.select<MINE, 4>(2) += az * dt;
  p.select<MINE, 4>(0) += v.select<MINE, 4>(0) * dt;
  p.select<MINE, 4>(1) += v.select<MINE, 4>(1) * dt;
  p.select<MINE, 4>(2) += v.select<MINE, 4>(2) * dt;
#pragma unroll
  for (int i = 0; i < MINE * 4; i += 32) {
    write(newPositions, first * 16 + i * 4, p.select<32, 1>(i));
    write(newVelocities, first * 16 + i * 4, v.select<32, 1>(i));
  }
}
