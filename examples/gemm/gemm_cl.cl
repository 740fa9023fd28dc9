// The product of matrices in OpenCL's SIMT style: a work item has an element of C; a group of 16 x 16 reads tiles of A
// and B into local memory.
#define TILE 16

// launch: gemm global=32,32 local=16,16 in=float:651 in=float:589 in=float:399 int=21 int=19 int=31 float=0.5 float=2 near=0.001
kernel void gemm(global const float *a, global const float *b, global float *c, int m, int n, int k, float alpha,
                 float beta) {
  local float aTile[TILE][TILE], bTile[TILE][TILE];
  int column = get_local_id(0), row = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int at = 0; at < k; at += TILE) {
    aTile[row][column] = y < m && at + column < k ? a[y * k + at + column] : 0;
    bTile[row][column] = x < n && at + row < k ? b[(at + row) * n + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; i++)
      sum += aTile[row][i] * bTile[i][column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x < n && y < m)
    c[y * n + x] = alpha * sum + beta * c[y * n + x];
}
