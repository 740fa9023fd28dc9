// A kernel whose host says where in shared local memory a parameter points to: hosts of the CM runtime only.
extern "C" _GENX_MAIN_ void fill(SurfaceIndex s, __local int *tile) {
  cm_slm_init(256);
  tile[cm_local_id(0)] = 1;
  cm_barrier();
  vector<int, 8> r = tile[0];
  write(s, 0, r);
}
