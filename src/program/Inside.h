//===- Inside.h - What objects of the public API are made of ---------------------===//
//
//     Inside::of(program)                    ->   the program::Container that a pocm::Program shows
//     Inside::around<Buffer>(memory)         ->   a pocm::Buffer
//
// Users of pocm.h see neither; the libraries behind it pass through here.
//
//===--------------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm {

struct Inside {
  template <class Object> static const auto &of(const Object &object) { return object.inner; }

  template <class Object, class Inner> static Object around(std::shared_ptr<Inner> inner) {
    Object made;
    made.inner = std::move(inner);
    return made;
  }

  static Event around(std::shared_ptr<runtime::Event> task, std::shared_ptr<runtime::PrintBuffer> output,
                      const std::shared_ptr<runtime::Context> &context,
                      std::shared_ptr<const runtime::Progress> threads) {
    Event made;
    made.inner = std::move(task);
    made.output = std::move(output);
    made.context = context;
    made.threads = std::move(threads);
    return made;
  }
};

} // namespace pocm
