// POCM_TEST_DEVICE=check: tests of the language are programs without mistakes, and the check device must find none in
// them. Some do on purpose what programs should not, and there it must find something.
#include "Kernels.h"

namespace {

/// Beginnings of the names of tests, without their parameters.
constexpr const char *mistaken[] = {
    "MemoryRows.loadStoreCache",                         // messages beyond the end
    "BufferAccess.owordBlocksReadZerosBeyondTheEnd",     //
    "BufferAccess.rowsOfBlocksAtAnyDistance",            //
    "BufferAccess.owordsAndDwordsAtThreadsPlaces",       //
    "BufferAccess.owordBlocksBeyondTheEndAreNotWritten", //
    "BufferAccess.placesThatMostlyFollow",               //
    "BufferAccess.scatteredElementsSideBySide",          //
    "BufferAccess.scatteredElementsOfEveryTypeAndCount", //
    "BufferAccess.elementsAtConstantDistances",          //
    "BufferAccess.placesThatComeOneByOne",               //
    "BufferAccess.elementsAtEqualDistances",             //
    "BufferAccess.fieldsOfSeveralTypes",                 //
    "BufferAccess.scattersThatLeaveGaps",                //
    "BufferAccess.untypedChannelsLeaveNoGaps",           //
    "BufferAccess.singleElements",                       //
    "Atomics.everyOperationOnEveryCountWithMasks",       //
    "Groups.fourChannelsOfSharedLocalMemory",            //
    "Groups.aBarrierThatNotAllReachIsAnError",           //
    "Pixels.typedAccessConvertsByFormat",                //
    "Pixels.typedAtomics",                               //
    "Pixels.samplersFilterAndAddress",                   //
    "Pixels.smallestImages",                             //
    "Pixels.fieldsOfEveryHeight",                        //
    "RegionShapes.atEveryOffset",                        // regions that leave their object
};

/// "Cpus/Groups.largeLaunches/native" -> "Groups.largeLaunches"
std::string nameOf(const testing::TestInfo &test) {
  std::string suite = test.test_suite_name(), name = test.name();
  return suite.substr(suite.find('/') + 1) + "." + name.substr(0, name.find('/'));
}

class Listener : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo &test) override {
    std::vector<pocm::Finding> found;
    for (const pocm::Device &device : test::checked())
      for (pocm::Finding &f : device.findings())
        found.push_back(std::move(f));
    bool ran = !test::checked().empty();
    test::checked().clear();
    if (!ran || !test.result()->Passed())
      return;
    if (std::ranges::find(mistaken, nameOf(test)) != std::end(mistaken)) {
      EXPECT_FALSE(found.empty()) << nameOf(test) << " makes mistakes on purpose, and the check device finds none";
      return;
    }
    for (const pocm::Finding &f : found)
      ADD_FAILURE() << "the check device finds in " << nameOf(test) << ": kernel '" << f.kernel << "', line " << f.line
                    << ": " << f.message << " [" << f.kind << "]";
  }
};

[[maybe_unused]] const bool listens = [] {
  const char *device = std::getenv("POCM_TEST_DEVICE");
  if (device && std::string_view(device) == "check")
    testing::UnitTest::GetInstance()->listeners().Append(new Listener);
  return true;
}();

} // namespace
