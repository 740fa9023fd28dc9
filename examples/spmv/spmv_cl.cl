// A sparse matrix times a vector in OpenCL's SIMT style: a work item has a row.

// launch: spmv global=16 local=16 in=uint:17:0..40 in=uint:64:0..31 in=float:64 in=float:32 zero=float:16 int=16 near=0.001
kernel void spmv(global const uint *starts, global const uint *columns, global const float *values,
                 global const float *x, global float *y, int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  for (uint i = starts[row]; i < starts[row + 1]; i++)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
