// What people who write kernels get wrong most often, and what they are told: the mistake at its line, in the words of
// the language, with the way out. Each stands in a block of its own.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=cm/detail --implicit-check-not=cm::detail --implicit-check-not=lsc_lanes %s
#include <cm/cm.h>

void changed(vector<int, 8> &part) { part += 1; }

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s, int n) {
  vector<int, 16> v = n, w = 1;
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: merge: a mask has integer elements; compare first
  { vector<float,16> m=1; v.merge(w, m); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: merge: the mask has 8 elements, the object 16; their numbers must be equal
  { vector<ushort,8> m=1; v.merge(w, m); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a statement of 8 elements in SIMD control flow of 16 channels; it has as many elements as channels, or one
  { matrix<ushort,2,8> m=1; vector<int,8> x=0; SIMD_IF_BEGIN(m){ x=1; } SIMD_IF_END; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; masks are joined by & and |
  { if (v > 3) v = 0; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; masks are joined by & and |
  { while (v < 3) v += 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; masks are joined by & and |
  { v = v > 3 ? w : v; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; masks are joined by & and |
  { vector<ushort,16> m = (v > 3) && (w < 2); v.merge(w,m); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the operands have 16 and 8 elements; give both the same number, for example with select
  { vector<int,8> x=0; v = w + x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 8 elements where 16 are needed; take the right part of it with select
  { vector<int,8> x=0; v = x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 16 elements where 8 are needed; take the right part of it with select
  { vector<int,8> x = v; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 32 elements where 16 are needed; take the right part of it with select
  { matrix<int,4,8> m=0; v = m; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching member function for call to 'select'
  // CHECK-DAG: {{^}}note: v.select<Size, Stride>([ushort I]): template argument Size is missing
  { v.select(0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching member function for call to 'select'
  // CHECK-DAG: {{^}}note: v.select<Size, Stride>([ushort I]): it takes fewer template arguments
  { v.select<4,1,1>(0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching member function for call to 'select'
  // CHECK-DAG: {{^}}note: m.select<VSize, VStride, HSize, HStride>([ushort I[, ushort J]]): template argument HSize is missing
  { matrix<int,4,8> m=0; m.select<4,1>(0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching member function for call to 'select'
  // CHECK-DAG: {{^}}note: v.select<Size, Stride>([ushort I]): allows at most single argument 'I', but 2 arguments were provided
  { v.select<1,1,4,1>(0,0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching member function for call to 'select'
  // CHECK-DAG: {{^}}note: v.select<Size, Stride>([ushort I]): template argument Size is a constant of type int
  { v.select<n,1>(0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: select: size and stride are at least 1
  { v.select<4,0>(0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: implicit conversion from 'float' to 'ushort' (aka 'unsigned short') changes value from 1.5 to 1
  { v(1.5f) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an index is an integer; convert 'float' first
  { float f = n; v(f) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an offset is an integer; convert 'float' first
  { float f = n; v.select<4,1>(f) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 'c' is const; its parts cannot be assigned to
  { const vector<int,16> c = 1; c.select<4,1>(0) = 2; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable overloaded '='
  // CHECK-DAG: {{^}}note: the left side is const, or the right side is neither an object nor a number
  { const vector<int,16> c = 1; c = 2; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 'c' is const; its parts cannot be assigned to
  { const vector<int,16> c = 1; c(3) = 2; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a new object, such as iselect, replicate or an operator gives, cannot be assigned to
  { vector<ushort,4> i=0; v.iselect(i) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: iselect: indices are integers
  { vector<float,4> i=0; vector<int,4> r = v.iselect(i); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no member named 'row' in 'vector<int, 16>'
  { v.row(0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 16 elements where 4 are needed; take the right part of it with select
  { matrix<int,4,8> m=0; m.column(1) = v; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to object of type 'matrix<int, 4, 8>'
  // CHECK-DAG: {{^}}note: m(ushort I, ushort J): requires 2 arguments, but 3 were provided
  { matrix<int,4,8> m=0; m(1,2,3) = 0; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: format: the new shape has 60 bytes, the object has 64; they must be equal
  { v.format<float,3,5>() = 0; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching member function for call to 'format'
  // CHECK-DAG: {{^}}note: v.format<T2>(): template argument T2 is missing
  { v.format() = 0; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'read'
  // CHECK-DAG: {{^}}note: read(SurfaceIndex Surface, int Offset, Block): no known conversion from 'float' to 'SurfaceIndex' for 1st argument
  { float f=0; read(f, 0, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'read'
  // CHECK-DAG: {{^}}note: read(SurfaceIndex Surface, int Offset, Block): no known conversion from 'int' to 'SurfaceIndex' for 1st argument
  { read(3, 0, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'read'
  // CHECK-DAG: {{^}}note: read<T>(SurfaceIndex Surface, uint Element): template argument T is missing
  { read(s, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'read'
  // CHECK-DAG: {{^}}note: read(SurfaceIndex Surface, int Offset, Block): 'int &' is no vector, matrix or reference
  { int x; read(s, 0, x); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: oword block read: at most 128 bytes
  { vector<int,64> big; read(s, 0, big); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: media block: rows, each padded to 4, 8, 16, 32 or 64 bytes, have at most 256 bytes together
  { matrix<uchar,32,64> big; read(s, 0, 0, big); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 8 elements where 16 are needed; take the right part of it with select
  { vector<uint,8> o=0; write(s, 0, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: offsets are integers; convert 'float' first
  { vector<float,16> o=0; write(s, 0, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: scattered read and write: 1, 2, 4, 8, 16 or 32 elements
  { vector<uint,12> o=0; vector<int,12> d=0; write(s, 0, o, d); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'write_atomic'
  // CHECK-DAG: {{^}}note: write_atomic<CmAtomicOpType Op[, T0, Width]>(SurfaceIndex Surface, Offsets, Result): template argument Op is missing
  { vector<uint,16> o=0; write_atomic(s, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'write_atomic'
  // CHECK-DAG: {{^}}note: write_atomic<CmAtomicOpType Op[, T0, Width]>(SurfaceIndex Surface, Offsets, Result): template argument Op is a constant of type CmAtomicOpType
  { vector<uint,16> o=0; write_atomic<AtomicOp::IADD>(s, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_atomic'
  // CHECK-DAG: {{^}}note: cm_atomic<AtomicOp Op, T[, VS, DS, L1, L2, L3, N]>(SurfaceIndex Surface, Offsets[, Predicate]): template argument Op is a constant of type AtomicOp
  { vector<uint,16> o=0; v = cm_atomic<ATOMIC_ADD,int>(s, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: write_atomic: this operation works on int or uint
  { vector<uint,16> o=0; vector<float,16> f=1; write_atomic<ATOMIC_ADD>(s, o, f); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'write_atomic'
  // CHECK-DAG: {{^}}note: write_atomic<CmAtomicOpType Op[, T0, Width]>(SurfaceIndex Surface, Offsets, Result): this operation takes 2 sources
  { vector<uint,16> o=0; write_atomic<ATOMIC_CMPXCHG>(s, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'ATOMIC_ADDD'; did you mean 'ATOMIC_ADD'?
  { vector<uint,16> o=0; write_atomic<ATOMIC_ADDD>(s, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'read_untyped'
  // CHECK-DAG: {{^}}note: read_untyped(SurfaceIndex Surface, ChannelMaskType Mask, Channels, Offsets): no known conversion from 'SLM_ChannelMaskType' to 'ChannelMaskType' for 2nd argument
  { matrix<int,4,16> m; vector<uint,16> o=0; read_untyped(s, SLM_R_ENABLE, m, o); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: read_untyped: the mask enables more channels than the matrix has rows
  { matrix<int,2,16> m; vector<uint,16> o=0; read_untyped(s, CM_ABGR_ENABLE, m, o); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_load'
  // CHECK-DAG: {{^}}note: cm_load<T, NElts[, DS, L1, L2, L3, N]>(SurfaceIndex Surface, Offset): template argument T is missing
  { vector<uint,16> o=0; v = cm_load(s, o); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC block: 1, 2, 3, 4, 8, 16, 32 or 64 elements, not 5
  { v = cm_load<int, 5>(s, 0); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: these hints do not go together with this kind of access on target cpu
  { v = cm_load<int,16,DataSize::Default,CacheHint::WriteBack,CacheHint::Cached>(s, 0); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_sum'
  // CHECK-DAG: {{^}}note: cm_sum<T0>(X[, int Flag]): template argument T0 is missing
  { int x = cm_sum(v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_shl works on integers
  { vector<float,16> f=1; f = cm_shl<float>(f, 2); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_mul'
  // CHECK-DAG: {{^}}note: cm_mul<T0>(Left, Right[, int Flag]): template argument T0 is missing
  { v = cm_mul(v, 2); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_max'
  // CHECK-DAG: {{^}}note: cm_max[<T0>](Left, Right[, int Flag]): 'q' is neither an object nor a number
  { struct q{int a;} z; v = cm_max(v, z); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_sqrt works on floats; convert the operand first
  { v = cm_sqrt(v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'cm_absolute'
  { v = cm_absolute(v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'cm_maxx'; did you mean 'cm_max'?
  { v = cm_maxx(v, w); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no template named 'selct' in 'vector<int, 16>'; did you mean 'select'?
  { v.selct<4,1>(0) = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no template named 'replicat' in 'vector<int, 16>'; did you mean 'replicate'?
  { v.replicat<2>(); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_pack_mask takes up to 32 elements
  { vector<ushort,33> m=1; uint x = cm_pack_mask(m); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: too few template arguments for alias template 'vector'
  // CHECK-DAG: {{^}}note: vector<T, N>: the elements' type and their number
  { vector<int> x = 0; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix has at least one element
  { vector<int,0> x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: template argument for template type parameter must be a type
  { vector<16,int> x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements of a vector or matrix are arithmetic types without const or volatile
  { struct q{int a;}; vector<q,4> x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements of a vector or matrix are arithmetic types without const or volatile
  { vector<bool,16> m = v > 3; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: too few template arguments for alias template 'matrix'
  // CHECK-DAG: {{^}}note: matrix<T, R, C>: the elements' type, rows and columns
  { matrix<int,16> m; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching constructor for initialization of 'vector_ref<int, 16>'
  // CHECK-DAG: {{^}}note: a reference is made from the variable or region that it names, of the same element type and shape
  { vector_ref<int,16> r; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable conversion from 'vector<int, 16>' to 'vector_ref<float, 16>'
  // CHECK-DAG: {{^}}note: a reference has the element type and shape of what it names: take the right part with select or format, or keep a converted copy in a variable
  { vector_ref<float,16> r = v; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable conversion from 'vector<int, 16>' to 'vector_ref<int, 16>'
  // CHECK-DAG: {{^}}note: a reference names a variable, which is not const, or a region of one; keep a new object in a variable first
  { vector_ref<int,16> r = v + w; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching constructor for initialization of 'vector<int, 4>'
  // CHECK-DAG: {{^}}note: it is made from a scalar for all elements, an object of as many elements, either of them with SAT behind it, as many scalars as there are elements, or an array
  { vector<int,4> x = {1,2,3,4,5}; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no template named 'vector' in namespace 'std'; did you mean simply 'vector'?
  // CHECK-DAG: {{^}}note: a kernel has no standard library; vector<T, N> of CM is in no namespace
  { std::vector<int> x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'sqrtf'
  // CHECK-DAG: {{^}}note: the square root of a kernel is cm_sqrt
  { float f = sqrtf(2); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'malloc'
  // CHECK-DAG: {{^}}note: a kernel has no heap; use objects and arrays of constant size
  { int *p = (int*)malloc(4); p[0]=n; v=p[0]; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'memcpy'
  // CHECK-DAG: {{^}}note: objects are assigned: v = w, v = 0, v.format<uchar>() = w.format<uchar>()
  { memcpy(&v, &w, 64); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: unknown type name 'CmBuffer'
  // CHECK-DAG: {{^}}note: that is the host's; a kernel sees surfaces as SurfaceIndex and memory as svmptr_t
  { CmBuffer *b; v = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: SIMD control flow: a condition has integer elements
  { vector<float,16> f=v; SIMD_IF_BEGIN(f){ v=1; } SIMD_IF_END; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 'return' jumps out of SIMD control flow; use SIMD_BREAK or SIMD_CONTINUE, or set a variable
  { SIMD_IF_BEGIN(v>3){ return; } SIMD_IF_END; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a statement of 8 elements in SIMD control flow of 16 channels; it has as many elements as channels, or one
  { vector<int,8> x=0; SIMD_IF_BEGIN(v>3){ x=1; } SIMD_IF_END; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable conversion from 'vector<int, 16>' to 'int'
  // CHECK-DAG: {{^}}note: an element is v(0), or m(0, 0); any(), all() and cm_sum<T> make one value of all elements
  { int x = v; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable conversion from 'vector<int, 1>' to 'int'
  // CHECK-DAG: {{^}}note: an element is v(0), or m(0, 0); any(), all() and cm_sum<T> make one value of all elements
  { vector<int,1> o=1; int x = o; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: invalid operands to binary expression ('int' and 'vector<int, 16>')
  { n += v; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: printf: arguments are scalars, vectors, matrices and string literals
  { SurfaceIndex other(1); printf("%d\n", other); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: printf: the format has 2 conversions for 1 argument
  { printf("%d %d\n", n); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 4 elements where 16 are needed; take the right part of it with select
  { auto r = v.select<4,1>(0); auto q = r + 1; v = q; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: operator ^ works on integer elements; convert the floating-point operand first
  { vector<float,16> f=1; v = v ^ f; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: operator ~ works on integer elements
  { vector<float,16> f=1; f = ~f; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: invalid operands to binary expression ('SurfaceIndex' and 'int')
  { s + 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable conversion from 'int' to 'SurfaceIndex'
  // CHECK-DAG: {{^}}note: a surface is a parameter of the kernel, which the host sets; one with a fixed place is SurfaceIndex(1)
  { SurfaceIndex t = 3; read(t, 0, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no viable conversion from 'SurfaceIndex' to 'int'
  { int x = s; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'read'
  // CHECK-DAG: {{^}}note: read(SurfaceIndex Surface, int Offset, Block): no known conversion from 'int' to 'SurfaceIndex' for 1st argument
  { read(0, s, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: scattered read and write: elements of at most 4 bytes
  { write(s, 0, 5.0); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: offsets are integers; convert 'float' first
  { vector<float,16> o=0; uint b=cm_slm_alloc(64); cm_slm_write(b, o, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_barrier'
  // CHECK-DAG: {{^}}note: cm_barrier(): requires 0 arguments, but 1 was provided
  { cm_barrier(1); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'SATURATE'
  // CHECK-DAG: {{^}}note: the mark is SAT: vector<uchar, 16> u(v, SAT)
  { vector<uchar,16> u = vector<uchar,16>(v, SATURATE); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching constructor for initialization of 'vector<uchar, 16>' (aka 'vector<unsigned char, 16>')
  // CHECK-DAG: {{^}}note: it is made from a scalar for all elements, an object of as many elements, either of them with SAT behind it, as many scalars as there are elements, or an array
  { vector<uchar,16> u(v, 1); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: ignoring return value of function declared with 'nodiscard' attribute
  { v + w; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 2.5 becomes 2 in elements of type 'int'
  { vector<int,16> x = 2.5f; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: merge: a scalar mask of 32 bits for 64 elements; the others count as 0
  { vector<int,64> a=0,b=1; a.merge(b, 0xffffffff); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_avs_sampler: fixed-function video hardware is not supported
  { matrix<ushort,8,16> o; SamplerIndex si; cm_avs_sampler(o, CM_16_FULL, s, si, 0.f,0.f,0.f,0.f); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: run_vme_intra: fixed-function video hardware is not supported
  { vector<uchar,64> a,b; run_vme_intra(s, n, a, b); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix of 80000 bytes; on target cpu an object has less than 32769
  { vector<int,20000> big = 0; v = big(n); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'threadIdx'
  // CHECK-DAG: {{^}}note: a thread's place in its group is cm_local_id(dimension)
  { int x = threadIdx.x; v = x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'get_global_id'; did you mean 'cm_global_id'?
  // CHECK-DAG: {{^}}note: a thread's place in a thread space is get_thread_origin_x() and get_thread_origin_y()
  { int x = get_global_id(0); v = x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_local_id'
  // CHECK-DAG: {{^}}note: cm_local_id(uint Dimension): requires single argument 'Dimension', but no arguments were provided
  { v = cm_local_id(); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'get_thread_origin_X'
  // CHECK-DAG: {{^}}note: the functions are get_thread_origin_x() and get_thread_origin_y()
  { v = get_thread_origin_X(); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'cm_svm_block_read'
  // CHECK-DAG: {{^}}note: cm_svm_block_read(svmptr_t Address, To): no known conversion from 'int *' to 'svmptr_t' (aka 'unsigned long long') for 1st argument; remove &
  { cm_svm_block_read(&n, v); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable overloaded '='
  // CHECK-DAG: {{^}}note: the left side is const, or the right side is neither an object nor a number
  { long double d = n; v = d; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: __int128 is not supported on this target
  { __int128 d = n; v = (int)(d*d); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: unknown type name 'va_list'
  // CHECK-DAG: {{^}}note: a kernel has no standard library
  { va_list l; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable overloaded '='
  // CHECK-DAG: {{^}}note: the left side is const, or the right side is neither an object nor a number
  { v = nullptr; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: merge: a scalar mask of 1 bit for 16 elements; the others count as 0
  { v.merge(w, true); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: member reference base type 'int' is not a structure or union
  { if (n.any()) v = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: reference to non-static member function must be called; did you mean to call it with no arguments?
  { if ((v > 3).any) v = 1; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a predicate has integer elements; compare first
  { vector<uint,16> o=0; vector<float,16> p=1; v = cm_load<int>(s,o,p); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC: 8 predicates for 16 lanes
  { vector<uint,16> o=0; vector<ushort,8> p=1; v = cm_load<int>(s,o,p); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: coordinates of pixels are integers; samplers take floats
  { matrix<float,4,16> m; vector<float,16> u=0; read_typed(s, CM_ABGR_ENABLE, m, u); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'printf'
  // CHECK-DAG: {{^}}note: printf(Format, Arguments): the format is a string literal
  { const char *f="%d"; printf(f, n); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: use of undeclared identifier 'CM_PRECISION_FP16'
  // CHECK-DAG: {{^}}note: half is CM_PRECISION_HF, bfloat16 CM_PRECISION_BF
  { vector<float,8> c=0; v = cm_dpas<CM_PRECISION_FP16,CM_PRECISION_FP16,8,8>(c, v, w); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: 'this' argument to member function
  // CHECK-DAG: {{^}}note: the object is const, and cannot be written
  { const matrix<int,2,2> m = 1; m += 2; }
  // CHECK-DAG: {{^}}note: a half is half(1.5f)
  { vector<half,8> h = 1.0h; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no template named 'vectorint'; did you mean 'vector'?
  { struct parts { vectorint, 16> some; int n; } p; parts q = p; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix of 2147483644 bytes; on target cpu an object has less than 32769
  { vector<float, 536870911> much; much = much * 2; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'changed'
  // CHECK-DAG: {{^}}note: a parameter that regions are passed to is a vector_ref or a matrix_ref, by value
  { changed(v.select<8, 1>(0)); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: invalid range expression of type 'vector<int, 16>'
  // CHECK-DAG: {{^}}note: elements are looped over by their numbers: for (int i = 0; i < v.n_elems(); ++i)
  { for (int x : v) n += x; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no viable overloaded operator[] for type 'vector<int, 16>'
  // CHECK-DAG: {{^}}note: an element is v(i) or m(i, j); several, whose numbers a vector of ushort has, are v.iselect(numbers)
  { vector<ushort, 8> places = 3; vector<int, 8> some = v[places]; }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to object of type 'matrix_ref<int, 2, 8>'
  { vector<ushort, 8> places = 3; matrix_ref<int, 2, 8> m = v.format<int, 2, 8>(); vector<int, 8> some = m(places, 1); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_pack_mask takes a mask of ushort elements; what & | and ^ make of two masks are ints
  { n = cm_pack_mask((v > 3) | (w > 2)); }
  // What is found in a function of the headers that another one calls is said where the program calls.
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 4 elements where 8 are needed
  { vector<uint, 4> d = 3; vector<uint, 8> carry; d = cm_addc(d, d, carry); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC: 2 predicates for 16 lanes
  { vector<int *, 16> at = &n; v = gather(at, vector<ushort, 2>(1)) + gather(at, vector<ushort, 2>(1), w); }
  // CHECK-DAG: mistakes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: dot products work on groups of four elements
  { vector<float, 6> d = 3; d = cm_dp4(d, d); }
  write(s, 0, v);
}
