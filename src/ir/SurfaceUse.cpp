//===- SurfaceUse.cpp - Which kind of surface a kernel takes a parameter for -----------------===//
//
//     oword.ld(0, %in, %offset)                   ->   %in is a buffer
//     media.st(0, %out, 0, 32, %x, %y, ...)       ->   %out is an image
//
// Messages with coordinates (Roles.def) take images, all others buffers. Parameters that are passed to subroutines are
// followed there; a surface that is chosen at run time may be any.
//
//===----------------------------------------------------------------------------------------===//
#include "ir/SurfaceUse.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace pocm {
namespace {

class Uses {
public:
  /// False where something else than a message has the parameter.
  bool follow(const Argument &Parameter) {
    if (!Followed.insert(&Parameter).second)
      return true;
    return all_of(Parameter.uses(), [&](const Use &U) { return add(U); });
  }
  SurfaceUse answer() const {
    return Images == Buffers ? SurfaceUse::Any : Images ? SurfaceUse::Image : SurfaceUse::Buffer;
  }

private:
  bool add(const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isArgOperand(&U))
      return false;
    Op Operation = operationOf(Call);
    if (Operation == Op::None) {
      const Function *Callee = Call->getCalledFunction();
      return Callee && !Callee->isDeclaration() && follow(*Callee->getArg(Call->getArgOperandNo(&U)));
    }
    if (!has(Operation, Role::Surface) || Call->getArgOperandNo(&U) != indexOf(Operation, Role::Surface))
      return false;
    (messageOf(Operation)->isImage() ? Images : Buffers) = true;
    return true;
  }

  SmallPtrSet<const Argument *, 4> Followed;
  bool Images = false, Buffers = false;
};

} // namespace

SurfaceUse surfaceUseOf(const Argument &Parameter) {
  Uses All;
  return All.follow(Parameter) ? All.answer() : SurfaceUse::Any;
}

} // namespace pocm
