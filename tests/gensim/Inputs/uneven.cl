kernel void uneven(global int *to) {
  local int seen;
  if (get_local_id(0) == 0 && get_local_id(1) == 0)
    seen = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&seen);
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t i = get_global_id(0) + get_global_id(1) * get_global_size(0);
  to[i * 4] = seen;
  to[i * 4 + 1] = get_local_size(0) * 100 + get_local_size(1);
  to[i * 4 + 2] = get_enqueued_local_size(0) * 100 + get_enqueued_local_size(1);
  to[i * 4 + 3] = get_num_groups(0) * 1000 + get_num_groups(1) * 100 + get_group_id(0) * 10 + get_local_id(1);
}
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void required(global int *to) { to[get_global_id(0)] = 1; }
