//===- EmitMessages.h - Messages to memory, samplers and the gateway as vISA text -----------===//
//
//     %d = gather <16 x i32>, scaled, surface %s, offsets %o   ->   gather_scaled.4 (M1, 16) T6 0:ud V34.0 V35.0
//
// Included by Emitter.cpp alone.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitLsc.h"
#include "ir/Operands.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/KnownBits.h"

namespace pocm::gen {

class EmitMessages : protected EmitLsc {
protected:
  EmitMessages(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options)
      : EmitLsc(Kernel, Target, Options),
        ThreadsAreGroups(Options.For == Runtime::LevelZero || !Target.has(HasMediaWalker)) {}

  const bool ThreadsAreGroups; ///< A thread of a thread space is dispatched as a group.

  void mediaBlock(CallInst &I, bool Read) {
    // by CmBufferAttrib: alignment says nothing here
    static const char *const Modifiers[] = {"nomod",   "top",        "bottom",   "nomod", "modified",
                                            "top_mod", "bottom_mod", "modified", "nomod", "nomod"};
    unsigned Modifier = constantOf(operandOf(I, Role::Modifiers), "a media block's modifier");
    unsigned Plane = constantOf(operandOf(I, Role::Plane), "a media block's plane");
    unsigned Width = constantOf(operandOf(I, Role::Width), "a media block's width");
    if (Plane && For == Runtime::LevelZero)
      fail("a plane of a surface in a Level Zero program");
    Type *T = dataTypeOf(I);
    unsigned Pitch = std::max(4u, bit_ceil(Width)), Bytes = bytesOf(T);
    unsigned Height = std::max(1u, Bytes / Pitch);
    if (Modifier >= std::size(Modifiers) || Width > 64 || Pitch * Height > 256)
      fail("a media block of " + std::to_string(Width) + " x " + std::to_string(Height) + " bytes");
    std::string S = surface(operandOf(I, Role::Surface)), X = scalar(operandOf(I, Role::X)),
                Y = scalar(operandOf(I, Role::Y));
    std::string Data = Read ? payload(&I) : raw(operandOf(I, Role::Data));
    Out << "    media_" << (Read ? "ld." : "st.") << Modifiers[Modifier] << " (" << Width << "," << Height << ") " << S
        << " " << (Plane ? std::to_string(Plane) + " " : "") << X << " " << Y << " " << Data << "\n";
  }

  void owordRead(CallInst &I, bool Unaligned) {
    bool Modified = constantOf(operandOf(I, Role::Modifiers), "an oword block's modifier");
    std::string S = surface(operandOf(I, Role::Surface)), At = scalar(operandOf(I, Role::Offset));
    Out << "    oword_ld" << (Unaligned ? "_unaligned" : "") << (Modified ? ".mod" : "") << " (" << owords(I.getType())
        << ") " << S << " " << At << " " << payload(&I) << "\n";
  }

  void owordWrite(CallInst &I) {
    Value *Data = operandOf(I, Role::Data);
    std::string S = surface(operandOf(I, Role::Surface)), At = scalar(operandOf(I, Role::Offset)), From = raw(Data);
    Out << "    oword_st (" << owords(Data->getType()) << ") " << S << " " << At << " " << From << "\n";
  }

  /// Dwords, or the low bytes of dwords, of the channels that the predicate has on.
  void readChannels(CallInst &I, Value *Predicate, const std::string &Name, const std::string &Place,
                    const std::string &At, Value *Old) {
    int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
    if (Bytes > 4)
      bug("a scattered message of elements of " + Twine(Bytes) + " bytes");
    std::string G = guard(Predicate);
    std::string To = Bytes == 4 ? payload(&I) : dwords(Lanes) + ".0";
    if (Bytes == 4)
      keepOld(I, Old, !G.empty());
    Out << "    " << G << Name << Bytes << width(Lanes) << Place << " " << At << " " << To << "\n";
    if (Bytes < 4)
      fromDwords(I, To.substr(0, To.size() - 2), G, Old);
  }

  void writeChannels(Value *Predicate, const std::string &Name, const std::string &Place, const std::string &At,
                     Value *Data) {
    int Lanes = countOf(Data->getType()), Bytes = elementBytes(Data->getType());
    if (Bytes > 4)
      bug("a scattered message of elements of " + Twine(Bytes) + " bytes");
    std::string G = guard(Predicate), From;
    if (Bytes == 4) {
      From = raw(Data);
    } else {
      From = dwords(Lanes);
      toDwords(From, Data);
      From += ".0";
    }
    Out << "    " << G << Name << Bytes << width(Lanes) << Place << " " << At << " " << From << "\n";
  }

  void gather(CallInst &I) {
    std::string Place = surface(operandOf(I, Role::Surface)) + " ";
    Place += scalar(operandOf(I, Role::GlobalOffset));
    readChannels(I, operandOf(I, Role::Predicate),
                 match(operandOf(I, Role::Log2Scale), m_Zero()) ? "gather_scaled." : "gather.", Place,
                 raw(operandOf(I, Role::Places)), operandOf(I, Role::Old));
  }
  void scatter(CallInst &I) {
    std::string Place = surface(operandOf(I, Role::Surface)) + " ";
    Place += scalar(operandOf(I, Role::GlobalOffset));
    writeChannels(operandOf(I, Role::Predicate),
                  match(operandOf(I, Role::Log2Scale), m_Zero()) ? "scatter_scaled." : "scatter.", Place,
                  raw(operandOf(I, Role::Places)), operandOf(I, Role::Data));
  }

  // Thread memory, as a part of all threads'

  void frameRead(CallInst &I) {
    std::string At = frameOword(operandOf(I, Role::Offset)), To = payload(&I);
    Out << "    oword_ld (" << owords(I.getType()) << ") %scratch " << At << " " << To << "\n";
  }
  void frameWrite(CallInst &I) {
    std::string At = frameOword(operandOf(I, Role::Offset)), From = raw(operandOf(I, Role::Data));
    Out << "    oword_st (" << owords(operandOf(I, Role::Data)->getType()) << ") %scratch " << At << " " << From
        << "\n";
  }

  std::string frameOword(Value *Offset) {
    std::string Sum = declare(Offset->getType(), 1, Sign::Unsigned), From = scalar(Offset);
    Out << "    add (M1, 1) " << Sum << "(0,0)<1> " << FrameOword << "(0,0)<0;1,0> " << From << "\n";
    return Sum + "(0,0)<0;1,0>";
  }

  std::string frameBytes(Value *Offsets) {
    int Lanes = countOf(Offsets->getType());
    std::string Sums = dwords(Lanes), From = source(Offsets, Lanes, Sign::Unsigned);
    Out << "    add" << width(Lanes) << Sums << "(0,0)<1> " << FrameBase << "(0,0)<0;1,0> " << From << "\n";
    return Sums + ".0";
  }

  std::string atomicName(CallInst &I, const AtomicInfo &Info) {
    static const std::map<unsigned, const char *> Names{
        {0x00, "add"},     {0x01, "sub"},     {0x02, "inc"},  {0x03, "dec"},    {0x04, "min"},  {0x05, "max"},
        {0x06, "xchg"},    {0x07, "cmpxchg"}, {0x08, "and"},  {0x09, "or"},     {0x0A, "xor"},  {0x0B, "minsint"},
        {0x0C, "maxsint"}, {0x10, "fmax"},    {0x11, "fmin"}, {0x12, "fcmpwr"}, {0x13, "fadd"}, {0x14, "fsub"}};
    auto Name = Names.find(Info.Number);
    if (Name == Names.end())
      fail(nameOf(I));
    return Name->second;
  }

  static bool isFloat(const AtomicInfo &Info) { return Info.Number >= 0x10; }
  static Sign signOf(const AtomicInfo &Info) {
    return Info.Number == 0x0B || Info.Number == 0x0C ? Sign::Signed : Sign::Unsigned;
  }

  std::string atomicSource(CallInst &I, const AtomicInfo &Info, int K) {
    if (K >= Info.Sources)
      return "%null.0";
    Value *V = sourceOf(I, unsigned(K));
    std::string Name = raw(V, signOf(Info));
    return isFloat(Info) && V->getType()->isIntOrIntVectorTy() ? floatView(V, Name) : Name;
  }

  std::string atomicResult(CallInst &I, const AtomicInfo &Info, bool Guarded) {
    if (I.use_empty())
      return "%null.0";
    keepOld(I, operandOf(I, Role::Old), Guarded);
    std::string Name = payload(&I, signOf(Info));
    return isFloat(Info) && I.getType()->isIntOrIntVectorTy() ? floatView(&I, Name) : Name;
  }

  void atomic(CallInst &I, const AtomicInfo &Info) {
    int Lanes = countOf(operandOf(I, Role::Places)->getType());
    if (unsigned Bits = I.getType()->getScalarSizeInBits(); Bits != 32)
      fail("an atomic of " + std::to_string(Bits) + " bits");
    std::string G = guard(operandOf(I, Role::Predicate)), S = surface(operandOf(I, Role::Surface)),
                Offsets = raw(operandOf(I, Role::Places)), First = atomicSource(I, Info, 0),
                Second = atomicSource(I, Info, 1);
    std::string To = atomicResult(I, Info, !G.empty());
    Out << "    " << G << "dword_atomic." << atomicName(I, Info) << width(Lanes) << S << " " << Offsets << " " << First
        << " " << Second << " " << To << "\n";
  }

  /// The payload as floats, for atomics that the language gives integers.
  std::string floatView(Value *V, const std::string &Payload) {
    Value *Register = registerOf(V);
    if (!isa<Constant>(Register) && needsRegister(*Register))
      return view(Register, Type::getFloatTy(V->getContext()), Sign::Signed) + ".0";
    return alias(Payload.substr(0, Payload.size() - 2), Type::getFloatTy(V->getContext()),
                 unsigned(countOf(V->getType())), Sign::Signed) +
           ".0";
  }

  // Typed surfaces and samplers

  /// RGBA, or fewer, for a mask whose bit 0 is R.
  std::string components(CallInst &I, unsigned Mask, int Have) {
    std::string Names;
    for (unsigned K = 0; K < 4; ++K)
      if (Mask >> K & 1)
        Names += "RGBA"[K];
    if (int(Names.size()) != Have)
      fail(nameOf(I) + " of " + std::to_string(Have) + " components");
    return Names;
  }

  /// A coordinate, absent when it is 0 and nothing comes after it.
  std::string coordinate(Value *V) { return match(V, m_Zero()) ? "%null.0" : raw(V); }

  void typed(CallInst &I, bool Read) {
    int Lanes = countOf(operandOf(I, Role::U)->getType());
    Value *OldOrData = operandOf(I, valueRole(operationOf(&I)));
    Type *T = OldOrData->getType();
    std::string Names =
        components(I, constantOf(operandOf(I, Role::Components), "a mask of components"), countOf(T) / Lanes);
    std::string G = guard(operandOf(I, Role::Predicate)), S = surface(operandOf(I, Role::Surface)),
                U = raw(operandOf(I, Role::U)), V = raw(operandOf(I, Role::V)), R = coordinate(operandOf(I, Role::R));
    std::string Data = Read ? payload(&I) : raw(OldOrData);
    if (Read)
      keepOld(I, OldOrData, !G.empty());
    Out << "    " << G << (Read ? "gather4_typed." : "scatter4_typed.") << Names << width(Lanes) << S << " " << U << " "
        << V << " " << R << " %null.0 " << Data << "\n";
  }

  void typedAtomic(CallInst &I) {
    AtomicInfo Info = atomicInfo(atomicOfNumber(constantOf(operandOf(I, Role::Number), "an atomic")));
    int Lanes = countOf(operandOf(I, Role::U)->getType());
    auto Operand = [&](int K) { return K < Info.Sources ? raw(sourceOf(I, unsigned(K))) : std::string("%null.0"); };
    std::string G = guard(operandOf(I, Role::Predicate)), S = surface(operandOf(I, Role::Surface)),
                U = raw(operandOf(I, Role::U)), V = raw(operandOf(I, Role::V)), First = Operand(0), Second = Operand(1);
    std::string To = I.use_empty() ? "%null.0" : payload(&I);
    Out << "    " << G << "typed_atomic." << atomicName(I, Info) << width(Lanes) << S << " " << U << " " << V
        << " %null.0 %null.0 " << First << " " << Second << " " << To << "\n";
  }

  /// The mask of components, and the operand with the texel offsets above them.
  std::pair<unsigned, std::string> sampled(Value *Components) {
    if (auto *C = dyn_cast<ConstantInt>(Components))
      return {unsigned(C->getZExtValue() & 0xFFFF), "0x" + utohexstr(C->getZExtValue() >> 16, true) + ":uw"};
    KnownBits Known = computeKnownBits(Components, F.getDataLayout()).trunc(16);
    Value *Register = registerOf(Components);
    if (!Known.isConstant() || !needsRegister(*Register))
      fail("a mask of components that is no constant");
    std::string Upper = view(Register, Type::getInt16Ty(F.getContext()), Sign::Unsigned) + "(0,1)<0;1,0>";
    return {unsigned(Known.getConstant().getZExtValue()), Upper};
  }

  void sample(CallInst &I) {
    int Lanes = countOf(operandOf(I, Role::U)->getType());
    auto [Mask, Texels] = sampled(operandOf(I, Role::Components));
    bool Compares = !match(operandOf(I, Role::Compares), m_Zero());
    if (Compares && !match(operandOf(I, Role::Compares), m_One()))
      fail("sampling that compares or does not, as a variable says,");
    if (Lanes != 8 && Lanes != 16)
      fail("sampling " + std::to_string(Lanes) + " places");
    std::string Names = components(I, Mask & 15, countOf(I.getType()) / Lanes);
    auto Given = SurfaceNames.find(operandOf(I, Role::Sampler));
    if (Given == SurfaceNames.end())
      fail("a sampler that is no argument of the kernel");
    std::string Sampler = bound(Given->second), S = surface(operandOf(I, Role::Surface)), Coordinates;
    if (Compares)
      Coordinates += " " + raw(operandOf(I, Role::Reference), Sign::Signed);
    for (Role K : {Role::U, Role::V, Role::R})
      Coordinates += " " + raw(operandOf(I, K), Sign::Signed);
    Out << "    sample" << (Compares ? "_c" : "") << "_lz." << Names << width(Lanes) << Texels << " " << Sampler << " "
        << S << " " << payload(&I) << Coordinates << "\n";
  }

  // Memory by address

  void svmBlock(CallInst &I, bool Read) {
    Type *T = dataTypeOf(I);
    unsigned Size = owords(T);
    std::string At = source(operandOf(I, Role::Address), 1, Sign::Unsigned);
    std::string Data = Read ? payload(&I) : raw(operandOf(I, Role::Data));
    Out << "    svm_block_" << (Read ? "ld" : "st") << " (" << Size << ") " << At << " " << Data << "\n";
  }

  void svmScattered(CallInst &I, bool Read) {
    Value *OldOrData = operandOf(I, valueRole(operationOf(&I)));
    Type *T = OldOrData->getType();
    int Lanes = countOf(T), Bytes = elementBytes(T);
    Channels On = channelsOn(operandOf(I, Role::Predicate), Lanes);
    std::string G = On.Guard, Addresses = raw(operandOf(I, Role::Places));
    // what is smaller than a dword travels as so many bytes of a dword
    std::string Shape = Bytes >= 4 ? std::to_string(Bytes) + ".1" : "1." + std::to_string(Bytes);
    const char *Name = Read ? "svm_gather." : "svm_scatter.";
    if (Bytes >= 4) {
      std::string Data = Read ? payload(&I) : raw(OldOrData);
      if (Read)
        keepOld(I, OldOrData, !G.empty() || On.Count < Lanes);
      Out << "    " << G << Name << Shape << width(On.Count) << Addresses << " " << Data << "\n";
      return;
    }
    std::string Dwords = dwords(Lanes);
    if (!Read)
      toDwords(Dwords, OldOrData);
    Out << "    " << G << Name << Shape << width(On.Count) << Addresses << " " << Dwords << ".0\n";
    if (Read)
      fromDwords(I, Dwords, On.Count < Lanes ? guard(operandOf(I, Role::Predicate)) : G, OldOrData);
  }

  void svmAtomic(CallInst &I, const AtomicInfo &Info) {
    int Lanes = countOf(operandOf(I, Role::Places)->getType());
    std::string G = guard(operandOf(I, Role::Predicate)), Addresses = raw(operandOf(I, Role::Places)),
                First = atomicSource(I, Info, 0), Second = atomicSource(I, Info, 1);
    unsigned Bits = I.getType()->getScalarSizeInBits();
    if (Bits < 32)
      fail("an atomic by address of " + std::to_string(Bits) + " bits");
    bool Wide = Bits == 64;
    std::string To = atomicResult(I, Info, !G.empty());
    Out << "    " << G << "svm_atomic." << atomicName(I, Info) << (Wide ? ".64" : "") << width(Lanes) << Addresses
        << " " << To << " " << First << " " << Second << "\n";
  }

  void predefined(CallInst &I, const char *Name) {
    Out << "    mov (M1, 1) " << view(&I, I.getType()->getScalarType(), Sign::Unsigned) << "(0,0)<1> " << Name
        << "(0,0)<0;1,0>\n";
  }

  void implicit(CallInst &I, const char *Keyword) {
    if (GivenAs.contains(&I))
      return;
    Type *Element = I.getType()->getScalarType();
    if (Element->isIntegerTy(64)) // an address, by halves
      Element = Type::getInt32Ty(F.getContext());
    std::string To = view(&I, Element, Sign::Unsigned);
    for (unsigned K = 0; K < bytesOf(I.getType()) / bytesOf(Element);
         ++K) // one by one: the finalizer reads them where they are
      Out << "    mov (M1, 1) " << To << "(0," << K << ")<1> " << ImplicitInputs[Keyword] << "(0," << K << ")<0;1,0>\n";
  }

  // Systolic products

  void dpas(CallInst &I) {
    static const std::map<unsigned, const char *> Precisions{{2, "u2"}, {3, "s2"}, {4, "u4"}, {5, "s4"},   {6, "u8"},
                                                             {7, "s8"}, {8, "bf"}, {9, "hf"}, {11, "tf32"}};
    auto Number = [&](Role K) { return constantOf(operandOf(I, K), "a number of a systolic product"); };
    auto B = Precisions.find(Number(Role::PrecisionB)), A = Precisions.find(Number(Role::PrecisionA));
    bool Pair = operationOf(&I) == Op::DpasPair;
    if (!Target.has(Pair ? HasDpasPairs : HasDpas) || B == Precisions.end() || A == Precisions.end() ||
        (B->first == 11 && !Target.has(HasDpasTf32)) || Number(Role::Depth) != 8 ||
        countOf(I.getType()) != int(Number(Role::Rows) * Target.GrfBytes / 4) || elementBytes(I.getType()) != 4)
      fail(nameOf(I));
    auto SignOf = [&](Role K) { return Number(K) ? Sign::Signed : Sign::Unsigned; };
    std::string To = payload(&I, SignOf(Role::SignedResult)),
                Sum = match(operandOf(I, Role::Accumulator), m_Zero())
                          ? "%null.0"
                          : raw(operandOf(I, Role::Accumulator), SignOf(Role::SignedAccumulator)),
                First = raw(operandOf(I, Role::MatrixB)), Second = raw(operandOf(I, Role::MatrixA));
    Second = Second.substr(0, Second.size() - 2) + "(0,0)";
    Out << "    dpas" << (Pair ? "w" : "") << "." << B->second << "." << A->second << ".8." << Number(Role::Rows)
        << width(int(Target.GrfBytes / 4)) << To << " " << Sum << " " << First << " " << Second << "\n";
  }

  // Named barriers

  std::string byteScalar(Value *V) {
    if (auto *C = dyn_cast<ConstantInt>(V))
      return std::to_string(C->getZExtValue() & 0xFF) + ":ub";
    Source S = Source::of(V);
    std::string Name = declare(Type::getInt8Ty(F.getContext()), 1, Sign::Unsigned), From = source(S, 1, Sign::Unsigned);
    Out << "    mov (M1, 1) " << Name << "(0,0)<1> " << From << "\n";
    return Name + "(0,0)<0;1,0>";
  }

  void namedArrive(CallInst &I) {
    if (!Target.has(HasNamedBarriers))
      fail(nameOf(I));
    noteBarrier(I);
    if (!match(operandOf(I, Role::BarrierRole), m_Zero()) ||
        operandOf(I, Role::Producers) != operandOf(I, Role::Consumers))
      return namedArriveAs(I, constantOf(operandOf(I, Role::BarrierRole), "a role at a named barrier"));
    std::string Id = byteScalar(operandOf(I, Role::Id)), Count = byteScalar(operandOf(I, Role::Producers));
    Out << "    nbarrier.signal " << Id << " " << Count << "\n";
  }

  /// vISA's own signal says that a thread produces and consumes, as many as do both. The message to the gateway that it
  /// becomes has bytes for all of it: in the payload's dword 2 the id, the role in the upper bits, and the two counts.
  void namedArriveAs(CallInst &I, unsigned BarrierRole) {
    constexpr unsigned RoleShift = 6;
    std::string Payload = declare(Type::getInt32Ty(F.getContext()), Target.GrfBytes / 4, Sign::Unsigned, true);
    Decl << ".decl " << Payload << "_ub v_type=G type=ub num_elts=" << Target.GrfBytes << " alias=<" << Payload
         << ", 0>\n";
    std::string Bytes[] = {byteScalar(operandOf(I, Role::Id)), std::to_string(BarrierRole << RoleShift) + ":ub",
                           byteScalar(operandOf(I, Role::Producers)), byteScalar(operandOf(I, Role::Consumers))};
    for (auto [K, Byte] : enumerate(Bytes))
      Out << "    mov (M1, 1) " << Payload << "_ub(0," << 8 + K << ")<1> " << Byte << "\n";
    Out << "    raw_sends.3.1.0.0 (M1, 1) 0x3:ud 0x2000004:ud " << Payload << ".0 %null.0 %null.0\n";
  }

  void namedWait(CallInst &I) {
    if (!Target.has(HasNamedBarriers))
      fail(nameOf(I));
    Out << "    nbarrier.wait " << byteScalar(operandOf(I, Role::Id)) << "\n";
    noteBarrier(I);
  }

  void noteBarrier(CallInst &I) {
    constexpr unsigned MostNamedBarriers = 32;
    auto *Id = dyn_cast<ConstantInt>(operandOf(I, Role::Id));
    Result.HasBarrier = true;
    NamedBarriers = std::max(NamedBarriers, Id ? unsigned(Id->getZExtValue()) + 1 : MostNamedBarriers);
  }

  void message(CallInst &I) {
    if (Target.has(HasLsc) && lscMessage(I))
      return;
    if (lsc::Message::match(&I) || lsc::Block2d::match(&I))
      fail("a message to the load/store cache");
    switch (Op Operation = operationOf(&I)) {
    case Op::ThreadX:
      return predefined(I, ThreadsAreGroups ? "%group_id_x" : "%thread_x");
    case Op::ThreadY:
      return predefined(I, ThreadsAreGroups ? "%group_id_y" : "%thread_y");
    case Op::Color:
      return predefined(I, "%color");
    case Op::HardwareId:
      return predefined(I, "%hw_id");
    case Op::GroupIdX:
      return predefined(I, "%group_id_x");
    case Op::GroupIdY:
      return predefined(I, "%group_id_y");
    case Op::GroupIdZ:
      return predefined(I, "%group_id_z");
    case Op::Timestamp:
      Out << "    mov (M1, 4) " << view(&I, I.getType()->getScalarType(), Sign::Unsigned)
          << "(0,0)<1> %tsc(0,0)<1;1,0>\n";
      return;
    case Op::LocalId:
      return implicit(I, "local_id");
    case Op::ProgramAddress:
      return implicit(I, "program");
    case Op::LocalSize:
      return implicit(I, "local_size");
    case Op::GroupCount:
      return implicit(I, "group_count");
    case Op::SlmInit:
      Result.SlmBytes =
          std::max(Result.SlmBytes, constantOf(operandOf(I, Role::Bytes), "shared local memory of a size"));
      return;
    case Op::Barrier:
      Result.HasBarrier = true;
      Out << "    barrier\n";
      return;
    case Op::SplitBarrier:
      Result.HasBarrier = true;
      Out << "    sbarrier." << (constantOf(operandOf(I, Role::Arrives), "a barrier's half") ? "signal" : "wait")
          << "\n";
      return;
    case Op::FrameRead:
      return frameRead(I);
    case Op::FrameWrite:
      return frameWrite(I);
    case Op::FrameGather:
      return readChannels(I, operandOf(I, Role::Predicate), "gather_scaled.", "%scratch 0:ud",
                          frameBytes(operandOf(I, Role::Places)), operandOf(I, Role::Old));
    case Op::FrameScatter:
      return writeChannels(operandOf(I, Role::Predicate), "scatter_scaled.", "%scratch 0:ud",
                           frameBytes(operandOf(I, Role::Places)), operandOf(I, Role::Data));
    case Op::Dpas:
    case Op::DpasPair:
      return dpas(I);
    case Op::NamedArrive:
      return namedArrive(I);
    case Op::NamedWait:
      return namedWait(I);
    case Op::Fence: {
      unsigned Bits = constantOf(operandOf(I, Role::FenceBits), "a fence's mask");
      Out << "    fence_" << (Bits & 0x20 ? "local" : "global") << (Bits & 1 ? ".E" : "") << "\n";
      return;
    }
    case Op::MediaRead:
      return mediaBlock(I, true);
    case Op::MediaWrite:
      return mediaBlock(I, false);
    case Op::OwordRead:
      return owordRead(I, false);
    case Op::OwordReadUnaligned:
      return owordRead(I, true);
    case Op::OwordWrite:
      return owordWrite(I);
    case Op::Gather:
      return gather(I);
    case Op::Scatter:
      return scatter(I);
    case Op::TypedRead:
      return typed(I, true);
    case Op::TypedWrite:
      return typed(I, false);
    case Op::TypedAtomic:
      return typedAtomic(I);
    case Op::Sample:
      return sample(I);
    case Op::SvmBlockRead:
      return svmBlock(I, true);
    case Op::SvmBlockWrite:
      return svmBlock(I, false);
    case Op::SvmGather:
      return svmScattered(I, true);
    case Op::SvmScatter:
      return svmScattered(I, false);
    default:
      if (AtomicInfo Info = atomicInfo(Operation); Info.Sources >= 0)
        return Info.ByAddress ? svmAtomic(I, Info) : atomic(I, Info);
      fail(nameOf(I));
    }
  }
};

} // namespace pocm::gen
