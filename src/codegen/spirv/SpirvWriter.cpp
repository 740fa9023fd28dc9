//===- SpirvWriter.cpp - CM IR as SPIR-V for OpenCL -----------------------------------------===//
//
// A module is words in a fixed order of sections. Types and constants get a number when they
// are asked for first; blocks stand behind those that dominate them, and phis may name what
// comes later, because values have numbers of their own.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/spirv/SpirvWriter.h"
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "ir/Lines.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>
#include <set>

using namespace llvm;

namespace pocm::spirv {
namespace {

/// Opcodes and enumerants that are used by name (SPIR-V specification, 3.x; SPV_INTEL_vector_compute).
enum : uint32_t {
  OpUndef = 1,
  OpSource = 3,
  OpName = 5,
  OpExtension = 10,
  OpExtInstImport = 11,
  OpExtInst = 12,
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeVoid = 19,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypeImage = 25,
  OpTypeSampler = 26,
  OpTypeStruct = 30,
  OpTypeFunction = 33,
  OpConstantTrue = 41,
  OpConstantFalse = 42,
  OpConstant = 43,
  OpConstantComposite = 44,
  OpConstantNull = 46,
  OpFunction = 54,
  OpFunctionParameter = 55,
  OpFunctionEnd = 56,
  OpFunctionCall = 57,
  OpDecorate = 71,
  OpVectorExtractDynamic = 77,
  OpVectorInsertDynamic = 78,
  OpVectorShuffle = 79,
  OpCompositeExtract = 81,
  OpCompositeInsert = 82,
  OpFNegate = 127,
  OpLogicalEqual = 164,
  OpLogicalNotEqual = 165,
  OpLogicalOr = 166,
  OpLogicalAnd = 167,
  OpSelect = 169,
  OpBitCount = 205,
  OpPhi = 245,
  OpLabel = 248,
  OpBranch = 249,
  OpBranchConditional = 250,
  OpReturn = 253,
  OpReturnValue = 254,
  OpUnreachable = 255,
  OpTypeBufferSurface = 6086,

  CapabilityAddresses = 4,
  CapabilityLinkage = 5,
  CapabilityKernel = 6,
  CapabilityVector16 = 7,
  CapabilityFloat16 = 9,
  CapabilityFloat64 = 10,
  CapabilityInt64 = 11,
  CapabilityImageBasic = 13,
  CapabilityImageReadWrite = 14,
  CapabilityInt16 = 22,
  CapabilityInt8 = 39,
  CapabilityVectorCompute = 5617,
  CapabilityVectorAny = 5619,

  DecorationLinkage = 41,
  LinkageImport = 1,
  DecorationVectorFunction = 5626,
  ModeContractionOff = 31,
  ModeSharedLocalMemory = 5618,
  ModeNamedBarriers = 6417,
  ReadWrite = 2,
  Physical64 = 2,
  OpenCL = 2,
  ModelKernel = 6,
};

struct Unsupported {
  std::string What;
};

class Writer {
public:
  explicit Writer(Module &M) : M(M) {}

  std::vector<uint32_t> run() {
    for (uint32_t C :
         {CapabilityAddresses, CapabilityLinkage, CapabilityKernel, CapabilityVector16, CapabilityVectorCompute})
      Capabilities.insert(C);
    ExtendedSet = fresh();
    std::string Refused; // a line for each kernel
    for (const KernelInfo &Kernel : kernelsOf(M))
      try {
        kernel(Kernel);
      } catch (Unsupported &Problem) {
        Refused += (Refused.empty() ? "kernel '" : "\nkernel '") + Kernel.Name +
                   "' cannot be an OpenCL program: " + Problem.What + " is not supported there";
      }
    if (!Refused.empty())
      throw Unsupported{Refused};
    Words Out{0x07230203, 0x00010400, 0, Next, 0};
    for (uint32_t C : Capabilities)
      emit(Out, OpCapability, {C});
    emitText(Out, OpExtension, {}, "SPV_INTEL_vector_compute");
    emitText(Out, OpExtInstImport, {ExtendedSet}, "OpenCL.std");
    emit(Out, OpMemoryModel, {Physical64, OpenCL});
    for (const Words *Part : {&EntryPoints, &Modes})
      Out.insert(Out.end(), Part->begin(), Part->end());
    emit(Out, OpSource, {0, 0});
    for (const Words *Part : {&Names, &Decorations, &Types, &Imports, &Functions})
      Out.insert(Out.end(), Part->begin(), Part->end());
    return Out;
  }

private:
  using Words = std::vector<uint32_t>;

  Module &M;
  uint32_t Next = 1, ExtendedSet = 0;
  std::set<uint32_t> Capabilities;
  Words EntryPoints, Modes, Names, Decorations, Types, Imports, Functions;
  std::map<Type *, uint32_t> TypeIds;
  std::map<std::pair<uint32_t, Words>, uint32_t> Composed; // types of functions, buffers and images; constants
  std::map<std::string, uint32_t> Imported;
  DenseMap<const Value *, uint32_t> Values;

  uint32_t fresh() { return Next++; }

  void emit(Words &To, uint32_t Opcode, ArrayRef<uint32_t> Operands) {
    To.push_back(uint32_t(Operands.size() + 1) << 16 | Opcode);
    To.insert(To.end(), Operands.begin(), Operands.end());
  }

  void emitText(Words &To, uint32_t Opcode, ArrayRef<uint32_t> Before, StringRef Text, ArrayRef<uint32_t> After = {}) {
    Words Operands(Before.begin(), Before.end());
    for (size_t At = 0; At <= Text.size(); At += 4) { // ends with a zero byte at least
      uint32_t Word = 0;
      for (size_t K = 0; K < 4 && At + K < Text.size(); ++K)
        Word |= uint32_t(uint8_t(Text[At + K])) << (8 * K);
      Operands.push_back(Word);
    }
    Operands.insert(Operands.end(), After.begin(), After.end());
    emit(To, Opcode, Operands);
  }

  void name(uint32_t Id, StringRef Text) {
    if (!Text.empty())
      emitText(Names, OpName, {Id}, Text);
  }

  // Types

  uint32_t compose(uint32_t Opcode, Words Operands) {
    uint32_t &Id = Composed[{Opcode, Operands}];
    if (!Id) {
      Id = fresh();
      Operands.insert(Operands.begin(), Id);
      emit(Types, Opcode, Operands);
    }
    return Id;
  }

  uint32_t typeOf(Type *T) {
    if (uint32_t Id = TypeIds[T])
      return Id;
    return TypeIds[T] = makeType(T);
  }

  uint32_t makeType(Type *T) {
    if (T->isVoidTy())
      return compose(OpTypeVoid, {});
    if (T->isIntegerTy(1))
      return compose(OpTypeBool, {});
    if (auto *I = dyn_cast<IntegerType>(T)) {
      static const std::map<unsigned, uint32_t> Needs{
          {8, CapabilityInt8}, {16, CapabilityInt16}, {32, CapabilityKernel}, {64, CapabilityInt64}};
      auto Found = Needs.find(I->getBitWidth());
      if (Found == Needs.end())
        throw Unsupported{"an integer of " + std::to_string(I->getBitWidth()) + " bits"};
      Capabilities.insert(Found->second);
      return compose(OpTypeInt, {I->getBitWidth(), 0});
    }
    if (T->isHalfTy() || T->isFloatTy() || T->isDoubleTy()) {
      Capabilities.insert(T->isHalfTy() ? CapabilityFloat16 : T->isDoubleTy() ? CapabilityFloat64 : CapabilityKernel);
      return compose(OpTypeFloat, {T->getScalarSizeInBits()});
    }
    if (auto *V = dyn_cast<FixedVectorType>(T)) {
      unsigned N = V->getNumElements();
      if (N != 2 && N != 3 && N != 4 && N != 8 && N != 16)
        Capabilities.insert(CapabilityVectorAny);
      return compose(OpTypeVector, {typeOf(V->getElementType()), N});
    }
    if (auto *S = dyn_cast<StructType>(T)) {
      Words Members;
      for (Type *E : S->elements())
        Members.push_back(typeOf(E));
      return compose(OpTypeStruct, Members);
    }
    throw Unsupported{T->isPointerTy() ? "a pointer" : T->isBFloatTy() ? "bfloat16" : "a value of an unusual type"};
  }

  /// The type of a kernel's parameter: surfaces and samplers are objects there.
  uint32_t parameterType(const Argument &A, const KernelParameter &P) {
    if (P.Kind == ParameterKind::General)
      return typeOf(A.getType());
    if (P.Kind == ParameterKind::Sampler)
      return compose(OpTypeSampler, {});
    bool Image = any_of(A.users(), [](const User *U) {
      auto Message = messageOf(operationOf(U));
      return Message && Message->isImage();
    });
    if (!Image)
      return compose(OpTypeBufferSurface, {ReadWrite});
    Capabilities.insert(CapabilityImageBasic);
    Capabilities.insert(CapabilityImageReadWrite);
    constexpr uint32_t Dim2D = 1;
    return compose(OpTypeImage, {typeOf(Type::getVoidTy(M.getContext())), Dim2D, 0, 0, 0, 0, 0, ReadWrite});
  }

  // Values

  uint32_t idOf(Value *V) {
    if (auto *C = dyn_cast<Constant>(V))
      return constant(C);
    if (auto *Freeze = dyn_cast<FreezeInst>(V))
      return idOf(Freeze->getOperand(0));
    if (auto *Fence = dyn_cast<IntrinsicInst>(V); Fence && Fence->getIntrinsicID() == Intrinsic::arithmetic_fence)
      return idOf(firstArgument(*Fence));
    uint32_t &Id = Values[V];
    return Id ? Id : Id = fresh();
  }

  uint32_t constant(Constant *C) {
    Type *T = C->getType();
    uint32_t Kind = typeOf(T);
    auto Make = [&](uint32_t Opcode, Words Operands) {
      uint32_t &Id = Composed[{Opcode << 16 | Kind, Operands}];
      if (!Id) {
        Id = fresh();
        Operands.insert(Operands.begin(), {Kind, Id});
        emit(Types, Opcode, Operands);
      }
      return Id;
    };
    if (isa<UndefValue>(C))
      return Make(OpUndef, {});
    if (T->isIntegerTy(1))
      return Make(C->isNullValue() ? OpConstantFalse : OpConstantTrue, {});
    if (C->isNullValue() && T->isVectorTy())
      return Make(OpConstantNull, {});
    if (isa<ConstantInt, ConstantFP>(C) && !T->isVectorTy()) {
      APInt Bits =
          isa<ConstantInt>(C) ? cast<ConstantInt>(C)->getValue() : cast<ConstantFP>(C)->getValueAPF().bitcastToAPInt();
      Words Digits{uint32_t(Bits.extractBitsAsZExtValue(std::min(32u, Bits.getBitWidth()), 0))};
      if (Bits.getBitWidth() < 32 && isa<ConstantInt>(C)) // narrow numbers are extended by their sign
        Digits[0] = uint32_t(Bits.getSExtValue());
      if (Bits.getBitWidth() > 32)
        Digits.push_back(uint32_t(Bits.extractBitsAsZExtValue(32, 32)));
      return Make(OpConstant, Digits);
    }
    if (auto *V = dyn_cast<FixedVectorType>(T)) {
      Words Elements;
      for (unsigned K = 0; K < V->getNumElements(); ++K) {
        Constant *E = C->getAggregateElement(K);
        if (!E)
          break;
        Elements.push_back(constant(E));
      }
      if (Elements.size() == V->getNumElements())
        return Make(OpConstantComposite, Elements);
    }
    throw Unsupported{"a constant that is an address"};
  }

  uint32_t splat(Type *T, uint64_t Number) {
    Type *Scalar = T->getScalarType();
    Constant *One = Scalar->isFloatingPointTy() ? ConstantFP::get(Scalar, double(int64_t(Number)))
                                                : cast<Constant>(ConstantInt::get(Scalar, Number, true));
    auto *V = dyn_cast<FixedVectorType>(T);
    return constant(V ? ConstantVector::getSplat(V->getElementCount(), One) : One);
  }

  /// A function that the vector compiler knows by its name.
  uint32_t import(StringRef Name, uint32_t Result, ArrayRef<uint32_t> Parameters) {
    uint32_t &Id = Imported[Name.str()];
    if (Id)
      return Id;
    Id = fresh();
    name(Id, Name);
    emitText(Decorations, OpDecorate, {Id, DecorationLinkage}, Name, {LinkageImport});
    Words Signature{Result};
    Signature.insert(Signature.end(), Parameters.begin(), Parameters.end());
    emit(Imports, OpFunction, {Result, Id, 0, compose(OpTypeFunction, Signature)});
    for (uint32_t P : Parameters)
      emit(Imports, OpFunctionParameter, {P, fresh()});
    emit(Imports, OpFunctionEnd, {});
    return Id;
  }

  // Kernels

  void kernel(const KernelInfo &Kernel) {
    Function &F = *Kernel.Entry;
    if (F.hasFnAttribute(LocalParametersAttribute)) // of which its hosts say sizes, not places
      throw Unsupported{"a __local pointer as a parameter"};
    uint32_t Void = typeOf(F.getReturnType()), Id = fresh();
    Words Signature{Void};
    for (Argument &A : F.args())
      Signature.push_back(parameterType(A, Kernel.Parameters[A.getArgNo()]));
    emitText(EntryPoints, OpEntryPoint, {ModelKernel, Id}, Kernel.Name);
    if (none_of(instructions(F), [](Instruction &I) { // products and sums may become one
          auto *Call = dyn_cast<CallInst>(&I);
          return Call && Call->getIntrinsicID() == Intrinsic::fma;
        }))
      emit(Modes, OpExecutionMode, {Id, ModeContractionOff});
    emit(Modes, OpExecutionMode, {Id, ModeSharedLocalMemory, 0});
    emit(Modes, OpExecutionMode, {Id, ModeNamedBarriers, 0});
    emit(Decorations, OpDecorate, {Id, DecorationVectorFunction});
    name(Id, Kernel.Name);
    emit(Functions, OpFunction, {Void, Id, 0, compose(OpTypeFunction, Signature)});
    Words Objects; // parameters that are not the numbers that the code takes them for
    for (Argument &A : F.args()) {
      bool Number = Kernel.Parameters[A.getArgNo()].Kind == ParameterKind::General;
      uint32_t Parameter = Number ? idOf(&A) : fresh();
      name(Parameter, A.getName());
      emit(Functions, OpFunctionParameter, {Signature[A.getArgNo() + 1], Parameter});
      Objects.push_back(Number ? 0 : Parameter);
    }
    ReversePostOrderTraversal<Function *> Order(&F);
    for (BasicBlock *Block : Order) {
      emit(Functions, OpLabel, {idOf(Block)});
      if (Block->isEntryBlock())
        for (Argument &A : F.args())
          if (uint32_t Object = Objects[A.getArgNo()])
            convert(A, Signature[A.getArgNo() + 1], Object);
      for (Instruction &I : *Block)
        try {
          instruction(I);
        } catch (Unsupported &Problem) {
          throw Unsupported{Problem.What + lineText(I)};
        }
    }
    emit(Functions, OpFunctionEnd, {});
  }

  /// The number of a surface or sampler.
  void convert(Argument &A, uint32_t ObjectType, uint32_t Object) {
    uint32_t Int = typeOf(A.getType());
    std::string Name = "llvm.genx.address.convert.i32.t" + std::to_string(ObjectType);
    emit(Functions, OpFunctionCall, {Int, idOf(&A), import(Name, Int, {ObjectType}), Object});
  }

  // Instructions

  void result(Instruction &I, uint32_t Opcode, ArrayRef<uint32_t> Operands) {
    Words All{typeOf(I.getType()), idOf(&I)};
    All.insert(All.end(), Operands.begin(), Operands.end());
    emit(Functions, Opcode, All);
  }

  void instruction(Instruction &I) {
    Words Operands;
    auto All = [&] {
      for (Value *V : I.operands())
        Operands.push_back(idOf(V));
      return Operands;
    };
    bool Bits = I.getType()->getScalarType()->isIntegerTy(1);
    if (auto *Call = dyn_cast<CallInst>(&I))
      return call(*Call);
    if (isa<FreezeInst>(I))
      return;
    if (isa<BinaryOperator>(I) && Bits)
      switch (I.getOpcode()) {
      case Instruction::And:
        return result(I, OpLogicalAnd, All());
      case Instruction::Or:
        return result(I, OpLogicalOr, All());
      case Instruction::Xor:
        return result(I, OpLogicalNotEqual, All());
      default:
        throw Unsupported{"arithmetic on bits"};
      }
    if (auto *Compare = dyn_cast<CmpInst>(&I)) {
      if (I.getOperand(0)->getType()->getScalarType()->isIntegerTy(1))
        return result(I, Compare->getPredicate() == CmpInst::ICMP_EQ ? OpLogicalEqual : OpLogicalNotEqual, All());
      switch (Compare->getPredicate()) {
#define COMPARE(llvm, spirv)                                                                                           \
  case CmpInst::llvm:                                                                                                  \
    return result(I, spirv, All());
#include "codegen/spirv/Spirv.def"
      default:
        throw Unsupported{"a comparison that has one answer"};
      }
    }
    if (isa<CastInst>(I) && !isa<BitCastInst>(I) && I.getOperand(0)->getType()->getScalarType()->isIntegerTy(1))
      return result(
          I, OpSelect,
          {idOf(I.getOperand(0)), splat(I.getType(), isa<SExtInst, SIToFPInst>(I) ? -1 : 1), splat(I.getType(), 0)});
    if (isa<TruncInst>(I) && Bits) { // the lowest bit
      uint32_t Wide = typeOf(I.getOperand(0)->getType()), One = fresh();
      constexpr uint32_t And = 199, NotEqual = 171;
      emit(Functions, And, {Wide, One, idOf(I.getOperand(0)), splat(I.getOperand(0)->getType(), 1)});
      return result(I, NotEqual, {One, splat(I.getOperand(0)->getType(), 0)});
    }
    switch (I.getOpcode()) {
#define BINARY(llvm, spirv)                                                                                            \
  case Instruction::llvm:                                                                                              \
    return result(I, spirv, All());
#define CAST(llvm, spirv)                                                                                              \
  case Instruction::llvm:                                                                                              \
    return result(I, spirv, All());
#include "codegen/spirv/Spirv.def"
    case Instruction::FNeg:
      return result(I, OpFNegate, All());
    case Instruction::Select:
      return result(I, OpSelect, All());
    case Instruction::PHI:
      return phi(cast<PHINode>(I));
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
      return element(I);
    case Instruction::ShuffleVector:
      return shuffle(cast<ShuffleVectorInst>(I));
    case Instruction::ExtractValue:
      Operands.push_back(idOf(I.getOperand(0)));
      for (unsigned Index : cast<ExtractValueInst>(I).indices())
        Operands.push_back(Index);
      return result(I, OpCompositeExtract, Operands);
    case Instruction::Br:
      return branch(cast<BranchInst>(I));
    case Instruction::Ret:
      return emit(Functions, OpReturn, {});
    case Instruction::Unreachable:
      return emit(Functions, OpUnreachable, {});
    default:
      throw Unsupported{std::string("'") + I.getOpcodeName() + "'"};
    }
  }

  void phi(PHINode &Phi) {
    Words Operands;
    for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K) {
      Operands.push_back(idOf(Phi.getIncomingValue(K)));
      Operands.push_back(idOf(Phi.getIncomingBlock(K)));
    }
    result(Phi, OpPhi, Operands);
  }

  void branch(BranchInst &Branch) {
    if (Branch.isUnconditional())
      return emit(Functions, OpBranch, {idOf(Branch.getSuccessor(0))});
    emit(Functions, OpBranchConditional,
         {idOf(Branch.getCondition()), idOf(Branch.getSuccessor(0)), idOf(Branch.getSuccessor(1))});
  }

  void element(Instruction &I) {
    bool Insert = isa<InsertElementInst>(I);
    Value *Index = I.getOperand(Insert ? 2 : 1);
    uint32_t Vector = idOf(I.getOperand(0));
    if (auto *C = dyn_cast<ConstantInt>(Index)) {
      auto At = uint32_t(C->getZExtValue());
      return Insert ? result(I, OpCompositeInsert, {idOf(I.getOperand(1)), Vector, At})
                    : result(I, OpCompositeExtract, {Vector, At});
    }
    if (Insert)
      return result(I, OpVectorInsertDynamic, {Vector, idOf(I.getOperand(1)), idOf(Index)});
    result(I, OpVectorExtractDynamic, {Vector, idOf(Index)});
  }

  void shuffle(ShuffleVectorInst &S) {
    Words Operands{idOf(S.getOperand(0)), idOf(S.getOperand(1))};
    for (int Lane : S.getShuffleMask())
      Operands.push_back(uint32_t(Lane)); // -1 is nobody's, here as there
    result(S, OpVectorShuffle, Operands);
  }

  static std::string dialectName(CallInst &Call, StringRef Name, unsigned Types) {
    std::string Whole = ("llvm.genx." + Name + "." + typeSuffix(Call.getType())).str();
    for (unsigned K = 0; K < Types; ++K)
      Whole += "." + typeSuffix(Call.getArgOperand(K)->getType());
    return Whole;
  }

  void imported(CallInst &Call, StringRef Name, Words Operands, ArrayRef<uint32_t> Parameters) {
    Operands.insert(Operands.begin(), import(Name, typeOf(Call.getType()), Parameters));
    result(Call, OpFunctionCall, Operands);
  }

  void call(CallInst &Call) {
    Function *Callee = Call.getCalledFunction();
    StringRef Name = Callee ? Callee->getName() : "";
    Words Operands, Parameters;
    auto Take = [&](unsigned Count) {
      for (unsigned K = 0; K < Count; ++K) {
        Operands.push_back(idOf(Call.getArgOperand(K)));
        Parameters.push_back(typeOf(Call.getArgOperand(K)->getType()));
      }
    };
    if (Call.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Call) || Call.getIntrinsicID() == Intrinsic::assume ||
        Call.getIntrinsicID() == Intrinsic::arithmetic_fence || isOptimizationFence(Call))
      return;
    if (Name.starts_with("llvm.genx.")) {
      Take(Call.arg_size());
      return imported(Call, Name, Operands, Parameters);
    }
    switch (Call.getIntrinsicID()) {
#define EXTENDED(llvm, number, operands)                                                                               \
  case Intrinsic::llvm:                                                                                                \
    Take(operands);                                                                                                    \
    Operands.insert(Operands.begin(), {ExtendedSet, number});                                                          \
    return result(Call, OpExtInst, Operands);
#include "codegen/spirv/Spirv.def"
    case Intrinsic::ctpop:
      Take(1);
      return result(Call, OpBitCount, Operands);
    case Intrinsic::fma: { // which the vector compiler makes of these again
      Take(3);
      constexpr uint32_t Multiply = 133, Add = 129;
      uint32_t Product = fresh();
      emit(Functions, Multiply, {typeOf(Call.getType()), Product, Operands[0], Operands[1]});
      return result(Call, Add, {Product, Operands[2]});
    }
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat: // the dialect's have the same names
      Take(1);
      return imported(Call, Name.str().replace(0, 5, "llvm.genx."), Operands, Parameters);
#define DIALECT(llvm, name, operands, types)                                                                           \
  case Intrinsic::llvm:                                                                                                \
    Take(operands);                                                                                                    \
    return imported(Call, dialectName(Call, name, types), Operands, Parameters);
#include "ir/Dialect.def"
    default:
      throw Unsupported{Callee ? "'" + Name.str() + "'" : "a call through a pointer"};
    }
  }
};

} // namespace

std::vector<uint32_t> write(Module &M, std::string &Problem) {
  try {
    return Writer(M).run();
  } catch (const Unsupported &Reason) {
    Problem = Reason.What;
    return {};
  }
}

} // namespace pocm::spirv
