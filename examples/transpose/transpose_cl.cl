// The transposition in OpenCL's SIMT style: a group of 16 x 16 work items turns a tile in local memory, whose rows have
// an element more so that columns lie in different banks.
#define TILE 16

// launch: transpose global=48,32 local=16,16 in=uint:1120 zero=uint:1120 int=40 int=28
kernel void transpose(global const uint *in, global uint *out, int width, int height) {
  local uint tile[TILE][TILE + 1];
  int column = get_local_id(0), row = get_local_id(1), left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  if (left + column < width && top + row < height)
    tile[row][column] = in[(top + row) * width + left + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (left + row < width && top + column < height)
    out[(left + row) * height + top + column] = tile[column][row];
}
