// Declarations, operands and instructions of vISA are printed as the finalizer reads them.
#include "codegen/gen/Print.h"
#include <gtest/gtest.h>

using namespace pocm::gen;

namespace {

const GenTarget &target() { return *findGenTarget("icllp"); }

Declaration variable(const char *name, ElementType type, unsigned count) {
  Declaration all;
  all.Name = name;
  all.Type = type;
  all.Count = count;
  return all;
}

struct Printed : ::testing::Test {
  Declaration v = variable("V1", ElementType::D, 16), bytes = variable("V1_ub", ElementType::UB, 64),
              address = variable("A1", ElementType::UD, 8), predicate = variable("P1", ElementType::UD, 8),
              surface = variable("T6", ElementType::UD, 1), null = variable("%null", ElementType::UD, 1);

  static VisaKernel printed(const Assembly &assembly) {
    VisaKernel kernel;
    print(assembly, "k", target(), kernel);
    return kernel;
  }

  /// The text of one instruction.
  static std::string text(const EmittedInstruction &instruction) {
    Assembly assembly;
    assembly.Code.push_back(instruction);
    std::string all = printed(assembly).Text;
    return all.substr(all.find("_BB_0\"\n") + 7);
  }
  static std::string text(Operand operand) {
    std::string all = text(EmittedInstruction{.Code = Opcode::Mov, .Operands = {std::move(operand)}});
    return all.substr(8, all.size() - 9);
  }
};

TEST_F(Printed, operands) {
  const GenRegion region{8, 4, 2, 35};
  EXPECT_EQ(text({SourceOperand{&bytes, region}}), "V1_ub(1,3)<8;4,2>");
  EXPECT_EQ(text({SourceOperand{&v, region, {.Negate = true}}}), "(-)V1(4,3)<8;4,2>");
  EXPECT_EQ(text({SourceOperand{&v, region, {.Absolute = true}}}), "(abs)V1(4,3)<8;4,2>");
  EXPECT_EQ(text({SourceOperand{&v, region, {true, true, true}}}), "(~)(-abs)V1(4,3)<8;4,2>");
  EXPECT_EQ(text({DestinationOperand{&v, 9, 2}}), "V1(1,1)<2>");
  EXPECT_EQ(text({IndirectSource{{&address}, 32, region, ElementType::UW}}), "r[A1(0),32]<8;4,2>:uw");
  EXPECT_EQ(text({IndirectSource{{&address, 7}, 0, {}, ElementType::HF, true, {.Negate = true}}}),
            "(-)r[A1(7),0]<1,0>:hf");
  EXPECT_EQ(text({IndirectDestination{{&address, 3}, -4, 2, ElementType::DF}}), "r[A1(3),-4]<2>:df");
  EXPECT_EQ(text({NumberOperand{-5, ElementType::W}}), "-5:w");
  EXPECT_EQ(text({BitsOperand{0x3f800000, ElementType::F, 8}}), "0x3f800000:f");
  EXPECT_EQ(text({BitsOperand{0x10, ElementType::UV, 8}}), "0x00000010:uv");
  EXPECT_EQ(text({BitsOperand{0x123456789A, ElementType::Q}}), "0x123456789a:q");
  EXPECT_EQ(text({PlainNumber{2}}), "2");
  EXPECT_EQ(text({NameOperand{&predicate}}), "P1");
  EXPECT_EQ(text({RawOperand{&v}}), "V1.0");
  EXPECT_EQ(text({RegisterOperand{&v}}), "V1(0,0)");
  EXPECT_EQ(text({SurfaceOperand{&surface}}), "T6(0)");
  EXPECT_EQ(text({AddressOperand{&address}}), "A1(0)<8>");
  EXPECT_EQ(text({AddressOf{&v}}), "&V1");
  EXPECT_EQ(text({PlaceInCode{"BB_3"}}), "BB_3");
}

TEST_F(Printed, operandsOfTheLoadStoreCache) {
  EXPECT_EQ(text({LscData{&v, LscLane{LscSize::D32}}}), "V1:d32");
  EXPECT_EQ(text({LscData{&v, LscLane{LscSize::D32, 4}}}), "V1:d32x4");
  EXPECT_EQ(text({LscData{&v, LscLane{LscSize::D64, 1, 0, true}}}), "V1:d64x1t");
  EXPECT_EQ(text({LscData{&v, LscLane{LscSize::D32, 2, 5}}}), "V1:d32.xz");
  EXPECT_EQ(text({LscData{&null, LscRectangle{8, 2, 16, 4, false, true}}}), "%null:d8.2x16x4nt");
  EXPECT_EQ(text({LscData{&null, LscRectangle{32, 1, 8, 4, true, false}}}), "%null:d32.8x4tn");
  const LscMemory flat, bound{LscMemory::Kind::Binding, {nullptr, 12}}, of{LscMemory::Kind::Binding, {&bytes}},
      state{LscMemory::Kind::State, {&bytes}};
  EXPECT_EQ(text({LscAddress{flat, {{&v}}, 0, 64}}), "flat[V1]:a64");
  EXPECT_EQ(text({LscAddress{bound, {{&v}}, 16, 32}}), "bti(0xc)[V1+0x10]:a32");
  EXPECT_EQ(text({LscAddress{of, {{&v}, {&bytes}}, -4, 32}}), "bti(V1_ub)[V1,V1_ub-0x4]:a32");
  EXPECT_EQ(text({LscAddress{state, {{&v}}, 0, 32}}), "ss(V1_ub)[V1]:a32");
  EXPECT_EQ(text({LscAddress{flat, {{&v}, {nullptr, 63}}}}), "flat[V1,0x3f]");
}

TEST_F(Printed, instructions) {
  const Operand to{DestinationOperand{&v, 0}}, from{SourceOperand{&v, {1, 1, 0, 0}}}, label{PlaceInCode{"BB_1"}};
  EmittedInstruction add{.Code = Opcode::Add, .Channels = 8, .Operands = {to, from, from}};
  EXPECT_EQ(text(add), "    add (M1, 8) V1(0,0)<1> V1(0,0)<1;1,0> V1(0,0)<1;1,0>\n");
  add.guarded({&predicate, true}).saturated(true).forAll();
  EXPECT_EQ(text(add), "    (!P1) add.sat (M1_NM, 8) V1(0,0)<1> V1(0,0)<1;1,0> V1(0,0)<1;1,0>\n");
  EmittedInstruction jump{.Code = Opcode::Jmp, .Channels = 1, .Operands = {label}};
  EXPECT_EQ(text(jump.guarded({&predicate, false, Guard::Asks::Any})), "    (P1.any) jmp (M1, 1) BB_1\n");
  EXPECT_EQ(text(jump.guarded({&predicate, true, Guard::Asks::All})), "    (!P1.all) jmp (M1, 1) BB_1\n");
  EXPECT_EQ(text({.Code = Opcode::Label, .Operands = {label}}), "BB_1:\n");
  EXPECT_EQ(text({.Code = Opcode::Function, .Operands = {{PlaceInCode{"SUB"}}}}), ".function \"SUB\"\n");
  EXPECT_EQ(text({.Code = Opcode::Barrier}), "    barrier\n");
  EmittedInstruction block{.Code = Opcode::MediaLoad, .Operands = {{NameOperand{&surface}}}, .Block = {16, 4}};
  EXPECT_EQ(text(block.part(Part::NoModifier)), "    media_ld.nomod (16,4) T6\n");
  EmittedInstruction atomic{.Code = Opcode::LscAtomic, .Channels = 8};
  EXPECT_EQ(text(atomic.part(Part::LscAdd).part(Part::Untyped)), "    lsc_atomic_iadd.ugm (M1, 8)\n");
  EmittedInstruction older{.Code = Opcode::DwordAtomic, .Channels = 8};
  EXPECT_EQ(text(older.part(Part::AtomicAdd)), "    dword_atomic.add (M1, 8)\n");
  EmittedInstruction typed{.Code = Opcode::Gather4Typed, .Channels = 8};
  EXPECT_EQ(text(typed.part(PixelChannels{5})), "    gather4_typed.RB (M1, 8)\n");
  EmittedInstruction gather{.Code = Opcode::Gather, .Channels = 8};
  EXPECT_EQ(text(gather.part(4u)), "    gather.4 (M1, 8)\n");
}

// What is declared, given and said of the kernel stands before its code; each line has an origin.
TEST_F(Printed, kernels) {
  Assembly assembly;
  assembly.Variables.push_back(variable("V1", ElementType::D, 16));
  assembly.Variables[0].Aligned = Align::Grf;
  Declaration view = variable("V1_w", ElementType::W, 16), flags = variable("P1", ElementType::UD, 8);
  view.Of = &assembly.Variables[0];
  view.At = 32;
  flags.Is = Declaration::Kind::Predicate;
  assembly.Others = {view, flags};
  assembly.Inputs = {{&assembly.Variables[0], 64, 64}};
  assembly.Implicit = {{&assembly.Variables[0], 32, 12, 3}};
  assembly.Attributes = {{"SLMSize", 4}, {"NoBarrier"}};
  EmittedInstruction add{.Code = Opcode::Add, .Channels = 8, .Operands = {{RawOperand{&v}}, {RawOperand{&v}}}};
  add.Origin = {{"k.cpp", 7}, 64};
  add.Operands[1].Meant = {{"V1", 4, {0}}};
  assembly.Code = {add};
  VisaKernel kernel = printed(assembly);
  EXPECT_EQ(kernel.Text, ".version 3.6\n.kernel \"k\"\n"
                         ".decl V1 v_type=G type=d num_elts=16 align=GRF\n"
                         ".decl V1_w v_type=G type=w num_elts=16 alias=<V1, 32>\n"
                         ".decl P1 v_type=P num_elts=8\n"
                         ".input V1 offset=64 size=64\n"
                         ".implicit_UNDEFINED_3 V1 offset=32 size=12\n"
                         ".kernel_attr Target=\"cm\"\n.kernel_attr OutputAsmPath=\"kernel\"\n"
                         ".kernel_attr SLMSize=4\n.kernel_attr NoBarrier\n"
                         ".function \"k_BB_0\"\n"
                         "    add (M1, 8) V1.0 V1.0\n");
  EXPECT_EQ(kernel.FirstLine, 11u);
  ASSERT_EQ(kernel.Lines.size(), 2u);
  EXPECT_EQ(kernel.Lines[1].Source.Line, 7u);
  ASSERT_EQ(kernel.Expected.size(), 1u);
  EXPECT_EQ(kernel.Expected.begin()->first, std::pair(13u, 3u)); // the line, and the word behind the first operand's
}

} // namespace
