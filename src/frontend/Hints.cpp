//===- Hints.cpp - The way out of common mistakes --------------------------------------===//
//
// Clang's messages are about C++, and some mistakes are about CM: what has another name
// here, what only hosts have, what an object converts to.
//
//     error: use of undeclared identifier 'sqrtf'
//     note: the square root of a kernel is cm_sqrt
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Hints.h"
#include "frontend/ShortFloats.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;

namespace pocm::frontend {
namespace {

/// Names that are not the language's, several with a blank between them, and what is to be said of them.
struct OtherName {
  StringRef Names, Hint;
};

constexpr OtherName OtherNames[] = {
    {"sqrt sqrtf", "the square root of a kernel is cm_sqrt"},
    {"rsqrt rsqrtf", "the inverse square root of a kernel is cm_rsqrt"},
    {"fabs fabsf abs", "the absolute value of a kernel is cm_abs"},
    {"min fmin fminf", "the smaller of two in a kernel is cm_min<T>"},
    {"max fmax fmaxf", "the greater of two in a kernel is cm_max<T>"},
    {"pow powf", "the power of a kernel is cm_pow"},
    {"exp expf exp2 exp2f", "cm_exp is the power of 2: the natural one is cm_exp(x * 1.442695f)"},
    {"log logf log2 log2f", "cm_log is the logarithm to base 2: the natural one is cm_log(x) * 0.693147f"},
    {"sin sinf cos cosf", "those of a kernel are cm_sin and cm_cos"},
    {"tanh tanhf", "that of a kernel is cm_tanh"},
    {"floor floorf", "rounding down in a kernel is cm_rndd"},
    {"ceil ceilf", "rounding up in a kernel is cm_rndu"},
    {"round roundf rint rintf", "rounding to the nearest in a kernel is cm_rnde"},
    {"trunc truncf", "rounding toward zero in a kernel is cm_rndz"},
    {"fma fmaf mad", "write the product and the sum; they are fused where nothing else needs the product"},
    {"dot", "cm_dp4 multiplies and adds groups of four; cm_sum<float>(a * b) all of them"},
    {"memcpy memmove memset", "objects are assigned: v = w, v = 0, v.format<uchar>() = w.format<uchar>()"},
    {"malloc calloc free realloc", "a kernel has no heap; use objects and arrays of constant size"},
    {"assert", "the assertion of a kernel is cm_assert, which -g switches on"},
    {"threadIdx get_local_id", "a thread's place in its group is cm_local_id(dimension)"},
    {"blockIdx get_group_id", "a group's place is cm_group_id(dimension)"},
    {"blockDim get_local_size", "the size of a group is cm_local_size(dimension)"},
    {"get_global_id", "a thread's place in a thread space is get_thread_origin_x() and get_thread_origin_y()"},
    {"__syncthreads barrier", "the barrier of a thread group is cm_barrier()"},
    {"get_thread_origin_X get_thread_origin_Y thread_origin_x thread_origin_y",
     "the functions are get_thread_origin_x() and get_thread_origin_y()"},
    {"SIMD_IF", "the macro is SIMD_IF_BEGIN(condition) { ... } SIMD_IF_END;"},
    {"SIMD_DO_WHILE SIMD_DO SIMD_WHILE", "the macros are SIMD_DO_WHILE_BEGIN { ... } SIMD_DO_WHILE_END(condition);"},
    {"cm_simd_if", "SIMD_ELSEIF, SIMD_ELSE and SIMD_IF_END stand behind SIMD_IF_BEGIN(condition) { ... }"},
    {"cm_simd_loop", "SIMD_DO_WHILE_END stands behind SIMD_DO_WHILE_BEGIN { ... }"},
    {"cmtl", "the template library takes #include <cm/cmtl.h>"},
    {"int1 int2 int4 uint1 uint2 uint4", "the short names of integers take #include <cm/genx_vme.h>"},
    {"SATURATE sat _SAT", "the mark is SAT: vector<uchar, 16> u(v, SAT)"},
    {"cout cin cerr puts putchar", "a kernel prints with printf"},
    {"CM_PRECISION_FP16 CM_PRECISION_BF16", "half is CM_PRECISION_HF, bfloat16 CM_PRECISION_BF"},
    {"_GENX_MAIN _genx_main_ __global__ __kernel kernel",
     "a kernel is marked: extern \"C\" _GENX_MAIN_ void name(...)"},
    {"va_list FILE time_t", "a kernel has no standard library"},
};

constexpr StringRef StandardHeaders =
    " algorithm array bit cassert cmath complex cstddef cstdint cstdio cstdlib cstring functional iostream limits map "
    "memory numeric random string tuple type_traits utility vector assert.h float.h limits.h math.h stdbool.h stddef.h "
    "stdint.h stdio.h stdlib.h string.h ";

bool isAmong(StringRef Names, StringRef Name) {
  SmallVector<StringRef, 8> All;
  Names.split(All, ' ', -1, /*KeepEmpty=*/false);
  return !Name.empty() && is_contained(All, Name);
}

StringRef quoted(StringRef Text) {
  return Text.take_until([](char C) { return C == '\''; });
}

bool isObject(StringRef Type) {
  Type.consume_front("const ");
  return Type.starts_with("vector<") || Type.starts_with("matrix<");
}
bool isReference(StringRef Type) { return Type.starts_with("vector_ref<") || Type.starts_with("matrix_ref<"); }

StringRef ofConversion(StringRef From, StringRef To) {
  StringRef Kind = From;
  Kind.consume_front("const ");
  if (isReference(To) && isObject(From))
    return Kind.drop_front(6) == To.drop_front(10)
               ? "a reference names a variable, which is not const, or a region of one; keep a new object in a "
                 "variable first"
               : "a reference has the element type and shape of what it names: take the right part with select or "
                 "format, or keep a converted copy in a variable";
  if (isReference(From) && isObject(To) && To.ends_with(" &"))
    return "a parameter that regions are passed to is a vector_ref or a matrix_ref, by value";
  if ((isObject(From) || isReference(From)) && !isObject(To) && !isReference(To))
    return "an element is v(0), or m(0, 0); any(), all() and cm_sum<T> make one value of all elements";
  if (From == "int" && To == "SurfaceIndex")
    return "a surface is a parameter of the kernel, which the host sets; one with a fixed place is SurfaceIndex(1)";
  return "";
}

} // namespace

std::string unendedBlock(StringRef Source) {
  static constexpr std::pair<StringRef, StringRef> Blocks[] = {{"SIMD_IF_BEGIN", "SIMD_IF_END"},
                                                               {"SIMD_DO_WHILE_BEGIN", "SIMD_DO_WHILE_END"}};
  clang::LangOptions Language;
  Language.CPlusPlus = true;
  const std::string Text = Source.str(); // the lexer looks at what ends it
  clang::Lexer Lexer({}, Language, Text.data(), Text.data(), Text.data() + Text.size());
  SmallVector<std::pair<StringRef, StringRef>> Open; // what ends the block, and the source from its beginning on
  clang::Token Token;
  for (bool Last = false; !Last;) {
    Last = Lexer.LexFromRawLexer(Token);
    if (!Token.is(clang::tok::raw_identifier))
      continue;
    StringRef Name = Token.getRawIdentifier();
    for (auto [Begin, End] : Blocks)
      if (Name == Begin)
        Open.emplace_back(End, StringRef(Text).drop_front(size_t(Name.data() - Text.data())));
      else if (Name == End && !Open.empty())
        Open.pop_back();
  }
  if (Open.empty())
    return "";
  auto [End, From] = Open.back();
  StringRef Before = StringRef(Text).drop_back(From.size());
  return (Twine(From.take_front(From.find_first_of("( \t{\r\n"))) + " of line " + Twine(Before.count('\n') + 1) +
          " has no " + End)
      .str();
}

std::string hintFor(StringRef Message) {
  if (isBetweenShortFloats(Message))
    return "an argument is not converted between half and bfloat16; write float(x) between them";
  if (size_t At = Message.find("conversion from '"); At != StringRef::npos) {
    StringRef From = quoted(Message.drop_front(At + 17)), Rest = Message.drop_front(At + 17 + From.size());
    size_t To = Rest.find("to '");
    return To == StringRef::npos ? "" : ofConversion(From, quoted(Rest.drop_front(To + 4))).str();
  }
  StringRef Rest = Message;
  if (Rest.consume_front("use of undeclared identifier '") || Rest.consume_front("unknown type name '") ||
      Rest.consume_front("no member named '")) {
    StringRef Name = quoted(Rest);
    for (const OtherName &Other : OtherNames)
      if (isAmong(Other.Names, Name))
        return Other.Hint.str();
    if (Name.starts_with("Cm") || Name.starts_with("CM_SURFACE_"))
      return "that is the host's; a kernel sees surfaces as SurfaceIndex and memory as svmptr_t";
    return "";
  }
  if (Rest.consume_front("'") && Message.ends_with("' file not found") && isAmong(StandardHeaders, quoted(Rest)))
    return "a kernel has no standard library; what CM has, traits of std among it, comes with <cm/cm.h>";
  if (Message == "'cm.h' file not found")
    return "the language's header is <cm/cm.h>";
  if (Message == "'cm_rt.h' file not found")
    return "that is the host's; a kernel includes <cm/cm.h>";
  if (Message.starts_with("expected 'while' in do/while loop"))
    return "a loop of SIMD_DO_WHILE_BEGIN ends with SIMD_DO_WHILE_END(condition);";
  if (Message.starts_with("no matching literal operator for call to 'operator\"\"h'"))
    return "a half is half(1.5f)";
  if (Message.starts_with("no template named 'vector' in namespace 'std'"))
    return "a kernel has no standard library; vector<T, N> of CM is in no namespace";
  if (Message.contains("template arguments for alias template 'vector"))
    return "vector<T, N>: the elements' type and their number";
  if (Message.contains("template arguments for alias template 'matrix"))
    return "matrix<T, R, C>: the elements' type, rows and columns";
  Rest = Message;
  if (Rest.consume_front("no matching constructor for initialization of '")) {
    if (isReference(Rest))
      return "a reference is made from the variable or region that it names, of the same element type and shape";
    if (isObject(Rest))
      return "it is made from a scalar for all elements, an object of as many elements, either of them with SAT behind "
             "it, as many scalars as there are elements, or an array";
  }
  if (Rest.consume_front("no viable overloaded operator[] for type '") ||
      Rest.consume_front("no matching function for call to object of type '"))
    if (isObject(Rest) || isReference(Rest))
      return "an element is v(i) or m(i, j); several, whose numbers a vector of ushort has, are v.iselect(numbers)";
  if (Message.starts_with("'this' argument to member function '") &&
      (Message.contains("' has type 'const vector<") || Message.contains("' has type 'const matrix<")))
    return "the object is const, and cannot be written";
  if (Message.starts_with("invalid range expression of type '"))
    return "elements are looped over by their numbers: for (int i = 0; i < v.n_elems(); ++i)";
  if (Message == "no viable overloaded '='")
    return "the left side is const, or the right side is neither an object nor a number";
  return "";
}

} // namespace pocm::frontend
