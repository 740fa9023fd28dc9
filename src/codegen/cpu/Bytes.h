//===- Bytes.h - Bytes and their distances, as arithmetic has them ------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

namespace pocm::cpu {

inline unsigned bitsOf(const llvm::Value *V) { return V->getType()->getScalarSizeInBits(); }

/// Elements that are bytes without a sign, or, where there is a second value, how far bytes of both are apart.
struct Bytes {
  llvm::Value *First, *Second;
  bool Signed; ///< Both have signs; how far they are apart has none.

  static std::optional<Bytes> of(llvm::Value *V) {
    using namespace llvm::PatternMatch;
    llvm::Value *A, *B;
    if (match(V, m_ZExt(m_Value(A))) && bitsOf(A) == 8)
      return Bytes{A, nullptr, false};
    llvm::Value *Difference;
    if (!match(V, m_Intrinsic<llvm::Intrinsic::abs>(m_Value(Difference), m_Value())))
      return std::nullopt;
    const bool Signed = match(Difference, m_Sub(m_SExt(m_Value(A)), m_SExt(m_Value(B))));
    if ((Signed || match(Difference, m_Sub(m_ZExt(m_Value(A)), m_ZExt(m_Value(B))))) && bitsOf(A) == 8 &&
        bitsOf(B) == 8)
      return Bytes{A, B, Signed};
    return std::nullopt;
  }

  /// As bytes.
  llvm::Value *narrow(llvm::IRBuilderBase &B) const {
    if (!Second)
      return First;
    using namespace llvm;
    return B.CreateSub(B.CreateBinaryIntrinsic(Signed ? Intrinsic::smax : Intrinsic::umax, First, Second),
                       B.CreateBinaryIntrinsic(Signed ? Intrinsic::smin : Intrinsic::umin, First, Second));
  }
};

} // namespace pocm::cpu
