// For media_block.test: blocks change places, each byte gets its column, and 16 times its row, added.
__attribute__((intel_reqd_sub_group_size(16))) kernel void moved(read_only image2d_t in, write_only image2d_t out) {
  int2 group = (int2)((int)get_group_id(0), (int)get_group_id(1));
  uchar8 v = intel_sub_group_media_block_read_uc8(group * (int2)(16, 8), 16, 8, in);
  v += (uchar)get_sub_group_local_id() + (uchar8)(0, 16, 32, 48, 64, 80, 96, 112);
  intel_sub_group_media_block_write_uc8((int2)(48 - group.x * 16, group.y * 8), 16, 8, v, out);
}
