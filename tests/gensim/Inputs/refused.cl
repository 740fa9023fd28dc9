kernel void add(global int *to, read_only image2d_t image) {
  int i = get_global_id(0);
  to[i] += read_imagei(image, (int2)(i, 0)).x;
}
#ifdef LEVELS
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
kernel void levels(global float4 *to, read_only image2d_t image, sampler_t s) {
  to[get_global_id(0)] = read_imagef(image, s, (float2)(0.5f, 0.5f), 1.0f);
}
#endif
#ifdef QUEUES
kernel void enqueues(global int *to) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    to[0] = 7;
  });
}
#endif
