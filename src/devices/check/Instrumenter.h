//===- Instrumenter.h - What puts checks into a kernel -----------------------------===//
//
// One class, since all of its parts add calls to the same kernel and share what is known of it: the thread's record,
// the variables that carry lanes, who uses which surface. Each part is a file.
//
//===------------------------------------------------------------------------------===//
#pragma once

#include "devices/check/Abi.h"
#include "devices/check/MayBeUnwritten.h"
#include "devices/check/Needs.h"
#include "devices/check/Shadows.h"
#include "devices/check/Sinks.h"
#include "ir/Intrinsics.h"
#include "ir/Lsc.h"
#include "ir/Messages.h"
#include "passes/LiveElements.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace pocm::check {

/// What is known of a place when code is made: the fields of a Site that are not its line.
struct What {
  std::string Message;
  Access How;
  std::uint32_t Bytes = 0, Count = 1, Rows = 1, Align = 1, Part = 0;
  std::string Object = {};
  std::vector<std::uint8_t> Used = {}; ///< Site::used.
};

class Instrumenter {
public:
  Instrumenter(llvm::Function &Old, bool Counts)
      : Counts(Counts), M(*Old.getParent()), C(Old.getContext()), B(C), F(withChecker(Old)), Live(F) {}
  llvm::Function *run();

private:
  // The kernel, its thread, its group (Instrument.cpp)

  static llvm::Function &withChecker(llvm::Function &Old);
  /// The first byte of shared local memory that pointers lead to.
  std::uint32_t slmByAddress() const;
  /// Fills the KernelSite.
  void describe();
  void enter(bool ByGroups);
  void leave();
  /// Each block adds its operations where it begins.
  void countOperations();
  void visit(llvm::Instruction &I);
  void visitOperation(llvm::CallInst &I, Op Operation);
  void barrier(llvm::CallInst &I, Meeting How);
  void arrive(llvm::CallInst &I);
  void wait(llvm::CallInst &I);
  void named(llvm::CallInst &I, bool Arrives);
  /// Both threads of a pair give what they have, then take.
  void exchange(llvm::CallInst &I);

  // What helpers are told (Sites.cpp)

  /// Variables that calls share, by what they hold.
  enum Scratch : unsigned { Wanted, Offsets, Second, Third, ScratchCount };
  llvm::Constant *text(llvm::StringRef Text);
  llvm::Constant *textOrNull(llvm::StringRef Text);
  llvm::Constant *flagsOrNull(llvm::ArrayRef<std::uint8_t> Flags);
  llvm::GlobalVariable *variable(llvm::Constant *Value);
  llvm::Constant *numbers(llvm::ArrayRef<std::uint32_t> Numbers);
  llvm::Constant *site(const llvm::Instruction &I, const What &W);
  /// Bytes of an element of what a message reads or writes.
  static std::uint32_t elementOf(const llvm::Instruction &I);
  llvm::CallInst *call(const char *Helper, llvm::ArrayRef<llvm::Value *> Operands, llvm::Type *Result = nullptr);
  /// A value in memory, for a helper.
  llvm::Value *inMemory(Scratch Which, llvm::Value *V);
  /// Null when all lanes are on.
  llvm::Value *flags(llvm::Value *Predicate);
  llvm::Value *wide(llvm::Value *V, bool Signed = true);
  void noteUse(llvm::Value *Surface, Access How);
  void noteAddress(Access How);
  static bool isPrinting(llvm::Value *Surface);
  /// Which elements of what is read are used: nothing when all are, or when they are not so many.
  std::vector<std::uint8_t> usedOf(const llvm::Instruction &I, unsigned Count);
  /// The same by bytes, of blocks whose rows have `Width` bytes and are `Pitch` bytes apart in the value.
  std::vector<std::uint8_t> usedBytes(const llvm::Instruction &I, unsigned Width, unsigned Pitch);
  std::vector<std::uint8_t> usedBytes(const llvm::Instruction &I, unsigned Bytes);
  static std::uint32_t elementOf(llvm::Type *T);

  // Reads that need no call (Readable.cpp)

  /// Surfaces that the kernel itself writes: no launch says that reading one of them needs no look.
  void noteWritten(llvm::ArrayRef<llvm::Instruction *> All);
  /// Whether a launch may say of the surface that reading it needs no look.
  bool mayBeReadable(const What &W, llvm::Value *Surface) const;
  /// Goes on where it is not known that stretches of bytes may be read, the last of which begins at `Most`. `Low` has
  /// the lowest bits of all their offsets.
  void unlessReadable(llvm::Instruction &I, const What &W, llvm::Value *Surface, llvm::Value *Most, llvm::Value *Low);
  /// The same of a block that lies inside of an image; the thread has reached that.
  void unlessReadableImage(llvm::Instruction &I, const What &W, llvm::Value *Surface, llvm::Value *X, llvm::Value *Y);
  /// The launch's entry for a surface in a table of check::Readable.
  llvm::Value *readableOf(llvm::Value *Surface, std::uint64_t Table, llvm::Type *Entry);
  /// What comes next is for where `Fine` is not so.
  void unless(llvm::Value *Fine, llvm::Instruction &I);

  // Messages to surfaces and memory (SurfaceChecks.cpp)

  /// Of an operation that is a message, as its row in Intrinsics.def says.
  void message(llvm::CallInst &I, const MessageInfo &Info);
  void media(llvm::CallInst &I, Access How);
  /// Bytes in a row at an offset in units of 2^Shift bytes. The headers round offsets that the source gives.
  void stretch(llvm::CallInst &I, What W, llvm::Value *Surface, llvm::Value *Offset, unsigned Shift);
  void lanes(llvm::Instruction &I, What W, llvm::Value *Surface, llvm::Value *Predicate, llvm::Value *Where,
             llvm::Value *Add, llvm::Value *Shift);
  /// The greatest offset of the lanes that are on decides.
  void lanesUnlessReadable(llvm::Instruction &I, What W, llvm::Value *Surface, llvm::Value *Predicate,
                           llvm::Value *Where, llvm::Value *Add, llvm::Value *Shift);
  void block(llvm::CallInst &I, const MessageInfo &Info, Access How);
  void scattered(llvm::CallInst &I, const MessageInfo &Info, Access How);
  void typed(llvm::CallInst &I, What W);
  void sampled(llvm::CallInst &I, const What &W);
  void address(llvm::Instruction &I, const What &W, llvm::Value *Address);
  void addresses(llvm::Instruction &I, What W, llvm::Value *Predicate, llvm::Value *Where, uint64_t Add = 0);
  void visitLsc(const lsc::Message &L);
  void visitBlock2d(const lsc::Block2d &Block);

  // Elements of objects (ElementChecks.cpp)

  /// The name of a variable that holds the value, as debug information has it.
  static std::string nameOf(llvm::Value *V);
  /// Whether elements of a value are chosen at run time.
  static bool choosesElement(llvm::Instruction &I);
  /// Calls the helper in front of `At` with `Offset` bytes when it is greater than `Last` or negative.
  void outside(llvm::Instruction &At, llvm::Constant *Where, llvm::Value *Offset, uint64_t Last, uint64_t Size,
               llvm::Value *On = nullptr);
  /// The same wherever what I computes is needed. Offset: of a place and which lanes are needed there.
  void outsideWhereNeeded(llvm::Instruction &I, const What &W, uint64_t Last, uint64_t Size,
                          llvm::function_ref<llvm::Value *(llvm::Value *Lanes)> Offset, llvm::Value *Mask = nullptr);
  /// What an element is chosen of, as the source calls it.
  static std::string objectOf(llvm::Instruction &I, llvm::Value *Parent);
  /// An element of a vector by its number. The language takes numbers of 16 bits.
  void element(llvm::Instruction &I, llvm::Value *Vector, llvm::Value *Index);
  template <class Access_> void region(llvm::CallInst &I, llvm::Value *Parent, const Access_ &R, llvm::Value *Mask);
  /// Elements by a vector of indices, of which those count that are used or written.
  template <class Access_> void chosen(llvm::CallInst &I, llvm::Value *Parent, const Access_ &R, llvm::Value *Mask);
  /// What the source says of a part of an object; code only knows the whole.
  void bounds(llvm::CallInst &I, llvm::Value *Chosen, llvm::Value *Count, llvm::Value *Dimension);
  void memoryRegion(llvm::CallInst &I);
  /// Bytes of a variable that lives in memory, such as an array, or of a table of constants; 0 of what is neither.
  std::uint64_t bytesOf(const llvm::Value &Object) const;
  void memory(llvm::Instruction &I, llvm::Value *Pointer, std::uint64_t Bytes);
  static std::string variableOf(llvm::Value &Object);

  // Values that nobody wrote (ValueChecks.cpp)

  static bool matters(const Sink &S, const MayBeUnwritten &May);
  /// Kernels that use nothing unwritten, as nearly all, stay as they are.
  void findUnwritten(llvm::ArrayRef<llvm::Instruction *> All);
  void checkValues(llvm::Instruction &I);
  void checkValue(llvm::Instruction &I, const Sink &S);
  /// Code that depends on them gets zeros. What was only for this device, or for debuggers, goes, too.
  void dropUnwritten();

  const bool Counts;
  llvm::Module &M;
  llvm::LLVMContext &C;
  llvm::IRBuilder<> B;
  llvm::Function &F;
  bool HasImages = false;                              ///< What a thread reaches of images is looked at when it ends.
  llvm::Value *Tables = nullptr;                       ///< What the launch says may be read of each slot.
  llvm::AllocaInst *Record = nullptr, *Done = nullptr; ///< Done: operations so far, where they are counted.
  llvm::GlobalVariable *Kernel = nullptr;
  llvm::AllocaInst *Shared[ScratchCount] = {};
  llvm::StringMap<llvm::Constant *> Texts;
  llvm::SmallVector<std::uint32_t, 16> Uses;            // of each argument
  llvm::DenseMap<llvm::Instruction *, unsigned> Blocks; ///< Of media writes, that one check is of (Together.h).
  llvm::SmallPtrSet<llvm::Value *, 8> Written;          ///< Surfaces; only of operations that have no result.
  std::uint32_t SlmBytes = 0, AnyUse = 0, Mixed = 0;
  LiveElements Live;                                                     // before anything is instrumented
  llvm::DenseMap<llvm::Instruction *, llvm::SmallVector<Need, 1>> Needs; // of what chooses elements; likewise
  std::unique_ptr<MayBeUnwritten> May; ///< These two when the kernel uses what may be unwritten.
  std::unique_ptr<Shadows> Shadow;
};

} // namespace pocm::check
