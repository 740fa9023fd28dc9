//===- cm/detail/simd_control_flow.h - SIMD_IF, SIMD_DO_WHILE ----------------===//
//
// A condition per channel. Which channels are active is a variable of the thread; every
// assignment of the block's width leaves inactive channels as they were (the builtin
// `predicated`), memory functions skip them, reductions ignore them, and a block without
// an active channel is jumped over. The width, the number of channels, is that of the
// outermost condition. Specification chapter "SIMD control flow".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {

/// State of SIMD control flow; all zero outside of it. The compiler knows the layout, and the variable by its mark
/// (BuiltinExpansions.cpp).
struct execution {
  uint width;     // channels; 0: not known yet, all active
  uint off;       // channels that are not active
  uint broken;    // channels that have left the innermost loop, or were not active where it began
  uint continued; // channels that wait for its condition
  uint depth;     // nesting
};
__attribute__((annotate("genx_execution"))) static execution exec;

inline uint valid_channels() { return exec.width == 0 || exec.width >= 32 ? ~0u : (1u << exec.width) - 1; }
inline uint active_channels() { return ~exec.off & valid_channels(); }

/// A condition as bits; a scalar one holds for every channel. Sets the width when it is the first.
template <class C> uint condition_bits(const C &Condition) {
  if constexpr (object<C>) {
    constexpr int N = traits<C>::count;
    static_assert(N >= 2 && N <= 32 && (N & (N - 1)) == 0, "SIMD control flow: 2, 4, 8, 16 or 32 channels");
    static_assert(!is_floating<typename traits<C>::type>, "SIMD control flow: a condition has integer elements");
    if (exec.width == 0)
      exec.width = N;
    return cm::builtin::pack_mask(Condition.value() != typename traits<C>::type(0));
  } else {
    static_assert(scalar<C>, "SIMD control flow: a condition is a vector, a matrix or a scalar");
    return Condition ? ~0u : 0;
  }
}

inline void leave_block(uint Off) {
  exec.off = Off;
  if (--exec.depth == 0)
    exec.width = exec.off = 0;
}

class simd_if {
public:
  template <class C> explicit simd_if(const C &Condition) : Outer(exec.off), Taken(0) {
    ++exec.depth;
    narrow(Condition);
  }
  bool any() const { return active_channels() != 0; }
  /// Makes the channels active that no branch has taken.
  bool otherwise() {
    exec.off = Outer | Taken | exec.broken | exec.continued;
    return any();
  }
  template <class C> bool narrow(const C &Condition) {
    uint Bits = condition_bits(Condition);
    uint Here = Bits & active_channels();
    Taken |= Here;
    exec.off = ~Here;
    return any();
  }
  void end() { leave_block(Outer | exec.broken | exec.continued); }

private:
  uint Outer, Taken;
};

class simd_loop {
public:
  simd_loop() : Outer(exec.off), Broken(exec.broken), Continued(exec.continued) {
    ++exec.depth;
    exec.broken = Outer;
    exec.continued = 0;
  }
  /// Brings back the channels that continue, for the condition.
  void rejoin() {
    exec.continued = 0;
    exec.off = exec.broken;
  }
  template <class C> bool again(const C &Condition) {
    uint Bits = condition_bits(Condition);
    uint Live = Bits & active_channels();
    exec.broken = exec.off = ~Live;
    return Live != 0;
  }
  void end() {
    exec.broken = Broken;
    exec.continued = Continued;
    leave_block(Outer);
  }

private:
  uint Outer, Broken, Continued;
};

inline void simd_break() {
  exec.broken |= active_channels();
  exec.off = ~0u;
}
inline void simd_continue() {
  exec.continued |= active_channels();
  exec.off = ~0u;
}

/// What SIMD_BREAK finds outside of a SIMD loop.
struct no_simd_loop {};
inline void leave_iteration(simd_loop &, bool ForGood) { ForGood ? simd_break() : simd_continue(); }
void leave_iteration(const no_simd_loop &, bool) = delete("SIMD_BREAK and SIMD_CONTINUE stand inside a SIMD loop");

} // namespace cm::detail

inline constexpr cm::detail::no_simd_loop cm_simd_loop;

/// Makes all channels active; returns what cm_unmask_end takes to make the same active as before.
inline uint cm_unmask_begin() {
  uint Off = cm::detail::exec.off;
  cm::detail::exec.off = 0;
  return Off;
}
inline void cm_unmask_end(uint Off) { cm::detail::exec.off = Off; }

#define SIMD_IF_BEGIN(...)                                                                                       \
  {                                                                                                                    \
    cm::detail::simd_if cm_simd_if((__VA_ARGS__));                                                                         \
    if (cm_simd_if.any())
#define SIMD_ELSEIF(...) if (cm_simd_if.otherwise() && cm_simd_if.narrow((__VA_ARGS__)))
#define SIMD_ELSE if (cm_simd_if.otherwise())
#define SIMD_IF_END                                                                                                    \
  cm_simd_if.end();                                                                                                    \
  }
#define SIMD_DO_WHILE_BEGIN                                                                                            \
  {                                                                                                                    \
    cm::detail::simd_loop cm_simd_loop;                                                                                \
    do
#define SIMD_DO_WHILE_END(...)                                                                                   \
  while (cm_simd_loop.rejoin(), cm_simd_loop.again((__VA_ARGS__)))                                                         \
    ;                                                                                                                  \
  cm_simd_loop.end();                                                                                                  \
  }
#define SIMD_BREAK cm::detail::leave_iteration(cm_simd_loop, true)
#define SIMD_CONTINUE cm::detail::leave_iteration(cm_simd_loop, false)
