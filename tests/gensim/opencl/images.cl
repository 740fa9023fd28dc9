// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Images and samplers.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

// launch: copy global=16,8 local=8,4 image=RGBA8_UNORM:16x8 image=RGBA8_UNORM:16x8
kernel void copy(read_only image2d_t a, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, read_imagef(a, nearest, at).zyxw);
}

// launch: unsigned_pixels global=16,8 local=16,2 image=RGBA8_UINT:16x8 image=RGBA8_UINT:16x8
kernel void unsigned_pixels(read_only image2d_t a, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 v = read_imageui(a, nearest, at + (int2)(3, -2));
  write_imageui(to, at, (v + 5) & 255);
}

// launch: signed_pixels global=16,8 local=8,2 image=R32_SINT:16x8 zero=int:128
kernel void signed_pixels(read_only image2d_t a, global int *to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  to[at.y * 16 + at.x] = read_imagei(a, border, at - 1).x;
}

// launch: filtered global=16,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,clamp,normalized zero=float:128 near=0.01
kernel void filtered(read_only image2d_t a, sampler_t s, global float *to) {
  int x = get_global_id(0), y = get_global_id(1);
  to[y * 16 + x] = read_imagef(a, s, (float2)(x / 13.0f, y / 7.0f)).x;
}

// launch: repeated global=16,8 local=8,4 image=RGBA8_UNORM:16x8 sampler=nearest,wrap,normalized zero=float:512 near=0.001
kernel void repeated(read_only image2d_t a, sampler_t s, global float4 *to) {
  int x = get_global_id(0), y = get_global_id(1);
  to[y * 16 + x] = read_imagef(a, s, (float2)(x / 5.3f - 1, y / 2.9f - 1));
}

// Formats, read and written: those that PoCL has, too. Of integers in R alone its alpha is 0, and it has no halves.
// launch: floats global=16,8 local=8,4 image=R8_SNORM:16x8 image=R8_SNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=R16_SNORM:16x8 image=R16_SNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=R8_UNORM:16x8 image=R8_UNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=R16_UNORM:16x8 image=R16_UNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=R32_FLOAT:16x8 image=R32_FLOAT:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=A8_SNORM:16x8 image=A8_SNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=A16_SNORM:16x8 image=A16_SNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=A8_UNORM:16x8 image=A8_UNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=A16_UNORM:16x8 image=A16_UNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=A32_FLOAT:16x8 image=A32_FLOAT:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=RGBA8_SNORM:16x8 image=RGBA8_SNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=RGBA16_SNORM:16x8 image=RGBA16_SNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=RGBA8_UNORM:16x8 image=RGBA8_UNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=RGBA16_UNORM:16x8 image=RGBA16_UNORM:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=RGBA32_FLOAT:16x8 image=RGBA32_FLOAT:16x8 zero=float:512 near=0.01
// launch: floats global=16,8 local=8,4 image=BGRA8_UNORM:16x8 image=BGRA8_UNORM:16x8 zero=float:512 near=0.01
kernel void floats(read_only image2d_t a, write_only image2d_t copy, global float4 *to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 v = read_imagef(a, nearest, at);
  write_imagef(copy, at, v.wzyx * 0.5f);
  to[at.y * 16 + at.x] = v;
}

// launch: signs global=16,8 local=8,4 image=A8_SINT:16x8 image=A8_SINT:16x8 zero=int:512
// launch: signs global=16,8 local=8,4 image=A16_SINT:16x8 image=A16_SINT:16x8 zero=int:512
// launch: signs global=16,8 local=8,4 image=A32_SINT:16x8 image=A32_SINT:16x8 zero=int:512
// launch: signs global=16,8 local=8,4 image=RGBA8_SINT:16x8 image=RGBA8_SINT:16x8 zero=int:512
// launch: signs global=16,8 local=8,4 image=RGBA16_SINT:16x8 image=RGBA16_SINT:16x8 zero=int:512
// launch: signs global=16,8 local=8,4 image=RGBA32_SINT:16x8 image=RGBA32_SINT:16x8 zero=int:512
kernel void signs(read_only image2d_t a, write_only image2d_t copy, global int4 *to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int4 v = read_imagei(a, nearest, at);
  write_imagei(copy, at, v.wzyx * 3 - 1);
  to[at.y * 16 + at.x] = v;
}

// launch: counts global=16,8 local=8,4 image=A8_UINT:16x8 image=A8_UINT:16x8 zero=uint:512
// launch: counts global=16,8 local=8,4 image=A16_UINT:16x8 image=A16_UINT:16x8 zero=uint:512
// launch: counts global=16,8 local=8,4 image=A32_UINT:16x8 image=A32_UINT:16x8 zero=uint:512
// launch: counts global=16,8 local=8,4 image=RGBA8_UINT:16x8 image=RGBA8_UINT:16x8 zero=uint:512
// launch: counts global=16,8 local=8,4 image=RGBA16_UINT:16x8 image=RGBA16_UINT:16x8 zero=uint:512
// launch: counts global=16,8 local=8,4 image=RGBA32_UINT:16x8 image=RGBA32_UINT:16x8 zero=uint:512
kernel void counts(read_only image2d_t a, write_only image2d_t copy, global uint4 *to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 v = read_imageui(a, nearest, at);
  write_imageui(copy, at, v.wzyx * 3 + 1);
  to[at.y * 16 + at.x] = v;
}

// From two images before the edges to two behind; no coordinate is where rounding decides between two pixels.
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=nearest,clamp,normalized zero=float:512 near=0.001
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=nearest,border,normalized zero=float:512 near=0.001
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=nearest,wrap,normalized zero=float:512 near=0.001
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=nearest,mirror,normalized zero=float:512 near=0.001
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,clamp,normalized zero=float:512 near=0.02
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,border,normalized zero=float:512 near=0.02
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,wrap,normalized zero=float:512 near=0.02
// launch: anywhere global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,mirror,normalized zero=float:512 near=0.02
kernel void anywhere(read_only image2d_t a, sampler_t s, global float *to) {
  int x = get_global_id(0), y = get_global_id(1);
  to[y * 64 + x] = read_imagef(a, s, (float2)((x - 32) / 15.0f + 0.011f, (y - 4) / 1.9f + 0.013f)).x;
}
// launch: beyond global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=nearest,clamp zero=float:512 near=0.001
// launch: beyond global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=nearest,border zero=float:512 near=0.001
// launch: beyond global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,clamp zero=float:512 near=0.02
// launch: beyond global=64,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,border zero=float:512 near=0.02
kernel void beyond(read_only image2d_t a, sampler_t s, global float *to) {
  int x = get_global_id(0), y = get_global_id(1);
  to[y * 64 + x] = read_imagef(a, s, (float2)((x - 24) / 1.3f + 0.011f, (y - 2) * 1.7f + 0.013f)).x;
}

// Samplers of the source and of arguments, in one kernel.
// launch: several global=16,8 local=8,4 image=R32_FLOAT:16x8 sampler=linear,clamp,normalized sampler=nearest,wrap,normalized zero=float:128 near=0.02
kernel void several(read_only image2d_t a, sampler_t s, sampler_t t, global float *to) {
  int x = get_global_id(0), y = get_global_id(1);
  to[y * 16 + x] = read_imagef(a, s, (float2)(x / 13.0f, y / 7.0f)).x + 2 * read_imagef(a, t, (float2)(x / 5.3f - 1, y / 2.9f - 1)).x +
                   4 * read_imagef(a, border, (int2)(x - 1, y - 1)).x + 8 * read_imagef(a, nearest, (int2)(x + 2, y - 1)).x;
}

// launch: sizes global=1 local=1 image=RGBA16_UINT:24x10 zero=int:4
kernel void sizes(read_only image2d_t a, global int *to) {
  to[0] = get_image_width(a);
  to[1] = get_image_height(a);
  to[2] = get_image_channel_data_type(a) == CLK_UNSIGNED_INT16;
  to[3] = get_image_channel_order(a) == CLK_RGBA;
}

// launch: volume global=8,4,4 local=4,2,2 image=R32_UINT:8x4x4 zero=uint:128
kernel void volume(read_only image3d_t a, global uint *to) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  to[(z * 4 + y) * 8 + x] = read_imageui(a, nearest, (int4)(7 - x, y, 3 - z, 0)).x;
}

// launch: layers global=8,4 local=8,4 array=R32_FLOAT:8x4x3 zero=float:96
kernel void layers(read_only image2d_array_t a, global float *to) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int z = 0; z < 3; ++z)
    to[(z * 4 + y) * 8 + x] = read_imagef(a, nearest, (int4)(x, y, 2 - z, 0)).x;
}

// launch: line global=32 local=16 image1d=RGBA32_FLOAT:32 image1d=RGBA32_FLOAT:32
kernel void line(read_only image1d_t a, write_only image1d_t to) {
  int x = get_global_id(0);
  write_imagef(to, 31 - x, read_imagef(a, nearest, x) * 2);
}

// launch: blur global=16,8 local=16,8 image=RGBA8_UNORM:16x8 image=RGBA8_UNORM:16x8 near=0.005
kernel void blur(read_only image2d_t a, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += read_imagef(a, nearest, at + (int2)(x, y));
  write_imagef(to, at, sum / 9);
}
