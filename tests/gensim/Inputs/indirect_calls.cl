// Functions that are called by address: chosen lane by lane, and from a table in constant memory.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*operation)(int, int);
__attribute__((noinline)) int add(int a, int b) { return a + b; }
__attribute__((noinline)) int mul(int a, int b) { return a * b; }
__attribute__((noinline)) int sub(int a, int b) { return a - b; }
constant operation table[3] = {add, mul, sub};
kernel void chosen(global int *out, int first) {
  int i = get_global_id(0), k = (first + i) % 3;
  operation f = k == 0 ? add : k == 1 ? mul : sub;
  out[i] = f(i, 3);
}
kernel void listed(global int *out, int first) {
  int i = get_global_id(0);
  if (i % 5 != 4)
    out[i] = table[(first + i) % 3](i, 3);
}
