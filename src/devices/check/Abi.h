//===- Abi.h - What instrumented kernels and the check device agree on ----------===//
//
// Instrument.cpp puts a call of one of these helpers in front of everything that can be
// wrong. A call names its thread (a ThreadRecord that lives in the kernel) and its Site, a
// constant of the object file with what is known of the place when code is made: so that
// kernels from the disk cache say as much as those that were just compiled.
//
//     call void @pocm_check_block(ptr %record, ptr @site.3, i32 %in, i64 %offset)
//     %v = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %in, i32 %owords)
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace pocm::check {

class Checker;

/// What a place of a kernel does.
enum class Access : std::uint32_t { Read, Write, Atomic };

/// What a thread does at a barrier: it arrives, waits for those who arrive there with it, or for whom a named barrier
/// counts.
enum class Meeting : std::uint32_t { Arrives, Waits, WaitsForOthers };

/// A place of a kernel. Known to Instrument.cpp, which makes constants of this layout.
struct Site {
  const char *file;    ///< Null when the program has no debug information.
  const char *message; ///< "oword block", "scattered", ...
  /// Name or type of the object whose elements are chosen; variables that an unwritten value comes from; null for
  /// other places, and when it is not known.
  const char *object;
  std::uint32_t line; ///< 0 when unknown.
  std::uint32_t column;
  Access access;
  std::uint32_t bytes; ///< Of an element of lanes, of a stretch, of a row of a block.
  std::uint32_t count; ///< Lanes; media blocks one below the other; or 1.
  std::uint32_t rows;  ///< Of a block; elements of a lane otherwise.
  std::uint32_t align; ///< Of offsets; hardware rounds down what is not a multiple.
  std::uint32_t part;  ///< Of a media block: plane and field, as codegen/cpu/Abi.h has them. Channels of typed access.
  /// Which parts of what is read the kernel uses: a byte for each byte of it, in its order; for each pixel of
  /// typed access. Null: all of it.
  const std::uint8_t *used;
  std::uint32_t element; ///< Bytes of an element of the kernel's vector.
};

/// Site::message of what leaves an object or a part of one, as the source divides it (Op::Bounds), by its Dimension.
constexpr const char *boundsNames[] = {"inner element", "row", "column", "constant element"};

/// A kernel, as its instrumented code describes itself.
struct KernelSite {
  const char *const *arguments; ///< Names, as many as the kernel has parameters.
  const std::uint32_t *uses;    ///< Of each argument: bit 0 it is read, bit 1 it is written.
  std::uint32_t argumentCount;
  std::uint32_t slmBytes;     ///< cm_slm_init's; 0 when there is none.
  std::uint32_t anyUse;       ///< What happens to surfaces that no argument names, as `uses`.
  std::uint32_t mixed;        ///< 1: threads meet at named barriers or exchange values, not in common phases alone.
  std::uint32_t slmByAddress; ///< Shared local memory from here on is also written through pointers, unseen: variables,
                              ///< parameters.
};

/// A running thread. Memory of the kernel; filled by the helpers.
struct ThreadRecord {
  Checker *checker;
  const KernelSite *kernel;
  std::uint32_t number;  ///< In the launch, from 1 on.
  std::uint32_t group;   ///< Number of its group in the launch.
  std::uint32_t arrived; ///< Barriers at which it has arrived,
  std::uint32_t waited;  ///< and those that it has passed.
  /// Slots, modulo 64, of which it has reached a part by media blocks; and the first block that had nothing of its
  /// surface, or null.
  std::uint64_t reached;
  const Site *outside;
  std::uint32_t outsideSlot;
  std::int32_t outsideX, outsideY;
};

/// Where a thread stands in its group; zeros where a kernel does not ask.
struct Place {
  std::uint32_t x, y;
  std::uint32_t local[3], localSize[3], group[3], groupCount[3];
};

constexpr unsigned SlotCount = 256; ///< Of surfaces, as codegen/cpu/Abi.h has it.

/// What of a launch's surfaces may be read without being looked at, by slot: nobody writes there, and all is written.
/// Zeros where something is to be looked at. What EnterHelper returns.
struct Readable {
  std::uint64_t bytes[SlotCount]; ///< Of a buffer.
  struct {
    std::uint32_t width, height;
  } image[SlotCount]; ///< In bytes and rows.
};

// Helpers take the ThreadRecord, the Site and what the message is given; see Checker.h.
constexpr const char *EnterHelper = "pocm_check_enter";
constexpr const char *LeaveHelper = "pocm_check_leave";
constexpr const char *BlockHelper = "pocm_check_block";
constexpr const char *MediaHelper = "pocm_check_media";
constexpr const char *LanesHelper = "pocm_check_lanes";
constexpr const char *TypedHelper = "pocm_check_typed";
constexpr const char *AddressHelper = "pocm_check_address";
constexpr const char *AddressesHelper = "pocm_check_addresses";
constexpr const char *MatrixHelper = "pocm_check_matrix";
constexpr const char *ElementHelper = "pocm_check_element";
constexpr const char *ArriveHelper = "pocm_check_arrive";
constexpr const char *WaitHelper = "pocm_check_wait";
constexpr const char *NamedHelper = "pocm_check_named";
constexpr const char *ExchangeHelper = "pocm_check_exchange";
constexpr const char *FenceHelper = "pocm_check_fence";
constexpr const char *SurfaceHelper = "pocm_check_surface";
constexpr const char *WorkHelper = "pocm_check_work";
constexpr const char *ValueHelper = "pocm_check_value";

} // namespace pocm::check
