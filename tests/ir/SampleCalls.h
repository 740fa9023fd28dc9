// A kernel for each operation of CM IR that calls it once, made from the operation's row in Intrinsics.def: each
// operand has the type that the row says, and a number that the operation takes.
#pragma once

#include "ir/Kernel.h"
#include "ir/Lsc.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include <map>

namespace pocm::samples {

inline constexpr unsigned lanes = 16;

/// All operations by their names in Intrinsics.def.
inline const std::vector<std::pair<const char *, Op>> &operations() {
  static const std::vector<std::pair<const char *, Op>> all{
#define INTRINSIC(id, ...) {#id, Op::id},
#include "ir/Intrinsics.def"
  };
  return all;
}

inline unsigned subopOf(llvm::StringRef name) {
  if (name.contains("Atomic"))
    return 12; // iadd
  return (name.contains("Store") ? lsc::StoreSubop : lsc::LoadSubop) + (name.contains("Quad") ? 2 : 0);
}

/// The number that an operand has; 0 when none is named.
inline unsigned numberFor(Role role, llvm::StringRef operation) {
  static const std::map<Role, unsigned> numbers{{Role::Width, 16},
                                                {Role::HStride, 1},
                                                {Role::Log2Bytes, 2},
                                                {Role::Scale, 1},
                                                {Role::DataSize, lsc::D32},
                                                {Role::Elements, 1},
                                                {Role::Order, 1},
                                                {Role::Components, 1},
                                                {Role::Blocks, 1},
                                                {Role::Height, 1},
                                                {Role::MatrixWidth, 63},
                                                {Role::MatrixHeight, 7},
                                                {Role::MatrixPitch, 63},
                                                {Role::PrecisionB, 7},
                                                {Role::PrecisionA, 7},
                                                {Role::Depth, 8},
                                                {Role::Rows, 8},
                                                {Role::Bytes, 64},
                                                {Role::Producers, 1},
                                                {Role::Consumers, 1},
                                                {Role::Count, lanes},
                                                {Role::ElementBytes, 4},
                                                {Role::FenceBits, 0x20}};
  if (role == Role::Subop)
    return subopOf(operation);
  auto found = numbers.find(role);
  return found == numbers.end() ? 0 : found->second;
}

/// A kernel with parameters (surface, <16 x i32>) that calls an operation and writes what it returns.
class Kernel {
public:
  Kernel(const char *name, Op operation) : name(name), operation(operation), module(new llvm::Module("m", context)) {
    using namespace llvm;
    auto *dwords = FixedVectorType::get(Type::getInt32Ty(context), lanes);
    auto *type = FunctionType::get(Type::getVoidTy(context), {Type::getInt32Ty(context), dwords}, false);
    Function *f = Function::Create(type, GlobalValue::ExternalLinkage, "k", *module);
    IRBuilder<> b(BasicBlock::Create(context, "", f));
    if (llvm::any_of(operandsOf(operation), [](const OperandInfo &o) { return o.Type == Shape::Pointer; })) {
      variable = b.CreateAlloca(dwords);
      if (!llvm::StringRef(name).starts_with("Frame")) // which only frame operations reach
        b.CreateStore(f->getArg(1), variable);
    }
    SmallVector<Value *, 17> operands;
    for (const OperandInfo &operand : operandsOf(operation))
      operands.push_back(operandOf(b, *f, operand, operands));
    call = createOperation(b, operation, resultType(operands), operands);
    write(b, *f);
    if (operation == Op::EndOfThread)
      b.CreateUnreachable();
    else
      b.CreateRetVoid();
    KernelInfo info;
    info.Entry = f;
    info.Name = "k";
    info.Parameters = {{ParameterKind::Surface, "int", 1}, {ParameterKind::General, "int", lanes}};
    setKernels(*module, {info});
  }

  const char *name;
  Op operation;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::CallInst *call = nullptr;

private:
  bool ofFloats() const {
    return llvm::is_contained({Op::ReciprocalSqrt, Op::ExactQuotient, Op::ExactRoot, Op::Flush, Op::Saturate,
                               Op::FloatToSigned, Op::FloatToUnsigned},
                              operation);
  }
  bool isProduct() const { return operation == Op::SignedProduct || operation == Op::UnsignedProduct; }
  bool isSystolic() const { return operation == Op::Dpas || operation == Op::DpasPair; }

  llvm::Type *vectorOf(llvm::Type *element, unsigned count) { return llvm::FixedVectorType::get(element, count); }

  /// A value with as many elements as the operand has, computed from the parameter.
  llvm::Value *valueOf(llvm::IRBuilder<> &b, llvm::Value *dwords, Role role) {
    if (ofFloats())
      return b.CreateSIToFP(dwords, vectorOf(b.getFloatTy(), lanes));
    if (isProduct())
      return b.CreateTrunc(dwords, vectorOf(b.getInt16Ty(), lanes));
    if (!isSystolic())
      return dwords;
    // 8 rows of 8 dwords each, or half of A
    unsigned count = role == Role::MatrixA && operation == Op::DpasPair ? 32 : 64;
    llvm::SmallVector<int, 64> repeated;
    for (unsigned k = 0; k < count; ++k)
      repeated.push_back(int(k % lanes));
    return b.CreateShuffleVector(dwords, repeated);
  }

  llvm::Value *operandOf(llvm::IRBuilder<> &b, llvm::Function &f, const OperandInfo &operand,
                         llvm::ArrayRef<llvm::Value *> before) {
    llvm::Value *dwords = f.getArg(1);
    unsigned number = numberFor(operand.What, name);
    if (operand.What == Role::Surface || operand.What == Role::Sampler)
      return f.getArg(0);
    switch (operand.Type) {
    case Shape::I1:
      return b.getTrue();
    case Shape::I8:
      return b.getInt8(uint8_t(number));
    case Shape::I16:
    case Shape::Offsets:
      return b.getInt16(uint16_t(number));
    case Shape::I32:
    case Shape::Owords:
    case Shape::AtDword:
      return b.getInt32(number);
    case Shape::I64:
    case Shape::Index:
      return operand.What == Role::Address ? b.CreateZExt(b.CreateExtractElement(dwords, uint64_t(0)), b.getInt64Ty())
                                           : b.getInt64(number);
    case Shape::Pointer:
      return variable;
    case Shape::Flags:
      return b.getTrue();
    case Shape::LaneFlag:
      return b.CreateIsNotNull(dwords);
    case Shape::LaneQword:
      return b.CreateZExt(dwords, vectorOf(b.getInt64Ty(), lanes));
    case Shape::LaneFloat:
      return b.CreateSIToFP(dwords, vectorOf(b.getFloatTy(), lanes));
    case Shape::Result:
      return operation == Op::SpecConstant ? static_cast<llvm::Value *>(b.getInt32(5))
                                           : valueOf(b, dwords, operand.What);
    default:
      return valueOf(b, dwords, operand.What);
    }
  }

  llvm::Type *resultType(llvm::ArrayRef<llvm::Value *> operands) {
    using llvm::Type;
    Type *dword = Type::getInt32Ty(context);
    switch (resultOf(operation)) {
    case Shape::Void:
      return Type::getVoidTy(context);
    case Shape::I16:
      return Type::getInt16Ty(context);
    case Shape::I32:
      return dword;
    case Shape::I64:
      return Type::getInt64Ty(context);
    case Shape::Pointer:
      return llvm::PointerType::get(context, 0);
    default:
      break;
    }
    if (operation == Op::LocalId || operation == Op::LocalSize || operation == Op::GroupCount)
      return vectorOf(dword, 3);
    if (operation == Op::Timestamp)
      return vectorOf(dword, 4);
    if (operation == Op::SpecConstant)
      return dword;
    if (isSystolic())
      return vectorOf(dword, 64);
    if (ofFloats() && operation != Op::FloatToSigned && operation != Op::FloatToUnsigned)
      return operands[0]->getType();
    return vectorOf(dword, lanes);
  }

  /// What the call returns goes to memory, so that nobody finds it useless.
  void write(llvm::IRBuilder<> &b, llvm::Function &f) {
    llvm::Value *result = call;
    if (result->getType()->isVoidTy())
      return;
    if (result->getType()->isPointerTy())
      result = b.CreateLoad(b.getInt32Ty(), result);
    if (result->getType()->isFPOrFPVectorTy())
      result = b.CreateBitCast(result, vectorOf(b.getInt32Ty(), lanes));
    if (!result->getType()->isVectorTy())
      result = b.CreateZExtOrTrunc(result, b.getInt32Ty());
    auto *four = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
    llvm::Value *part = llvm::PoisonValue::get(four);
    for (unsigned k = 0; k < 4; ++k) // each of the first elements, the last one of shorter vectors again
      part = b.CreateInsertElement(
          part,
          result->getType()->isVectorTy()
              ? b.CreateExtractElement(result, std::min(k, unsigned(countOf(result->getType())) - 1))
              : result,
          k);
    createOperation(b, Op::OwordWrite, b.getVoidTy(), {f.getArg(0), b.getInt32(0), part});
  }

  llvm::Value *variable = nullptr;
};

} // namespace pocm::samples
