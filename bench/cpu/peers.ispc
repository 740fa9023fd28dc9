// What one would write for ispc instead of the applications' kernels; the loops of plain_loops.cpp, whose arguments they take.

// A point a lane; each lane has sums of its own for each centre, so that no two of them meet.
export void ispc_kmeans(const uniform float x[], const uniform float y[], uniform int64 begin, uniform int64 end,
                        const uniform float centres[], uniform uint32 count, uniform uint32 labels[],
                        uniform float sums[]) {
  varying float *uniform own = uniform new varying float[3 * count];
  for (uniform uint32 i = 0; i < 3 * count; i++)
    own[i] = 0;
  foreach (i = begin ... end) {
    float px = x[i], py = y[i];
    float least = 3.4e38f;
    uint32 label = 0;
    for (uniform uint32 c = 0; c < count; c++) {
      float dx = px - centres[2 * c], dy = py - centres[2 * c + 1];
      float distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        label = c;
      }
    }
    labels[i] = label;
#pragma ignore warning(perf)
    own[3 * label] += px;
#pragma ignore warning(perf)
    own[3 * label + 1] += py;
#pragma ignore warning(perf)
    own[3 * label + 2] += 1;
  }
  for (uniform uint32 i = 0; i < 3 * count; i++)
    sums[i] += reduce_add(own[i]);
  delete[] own;
}

// An element of a row a lane.
export void ispc_spmv(const uniform uint32 first[], const uniform uint32 columns[], const uniform float values[],
                      const uniform float x[], uniform float y[], uniform int64 begin, uniform int64 end) {
  for (uniform int64 r = begin; r < end; r++) {
    float sum = 0;
    foreach (k = first[r] ... first[r + 1]) {
#pragma ignore warning(perf)
      sum += values[k] * x[columns[k]];
    }
    y[r] = reduce_add(sum);
  }
}

// A point a lane.
export void ispc_stencil(const uniform float from[], uniform float to[], uniform int64 width, uniform int64 begin,
                         uniform int64 end, uniform float center, uniform float cardinal, uniform float diagonal) {
  for (uniform int64 y = begin; y < end; y++) {
    const uniform float *uniform here = from + y * width;
    const uniform float *uniform above = here - width, *uniform below = here + width;
    uniform float *uniform out = to + y * width;
    foreach (x = 1 ... (int32)width - 1) {
      out[x] = center * here[x] + cardinal * (here[x - 1] + here[x + 1] + above[x] + below[x]) +
               diagonal * (above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1]);
    }
  }
}
