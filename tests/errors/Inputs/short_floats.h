// A conversion between half and bfloat16 in a file that a kernel's source includes.
inline _GENX_ bfloat16 included(half x) { return x; }
