//===- Uncancelled.h - Work in whose middle a thread may not be cancelled ------===//
//
// pthread_cancel() unwinds a thread from wherever it waits, reads or writes, through functions
// that let no exception out, or hold what nobody would give back: that ends the process. Host
// threads that are cancelled in such work go when it is done.
//
//===---------------------------------------------------------------------------===//
#pragma once

#include <pthread.h>

namespace pocm {

class Uncancelled {
public:
  Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); }
  ~Uncancelled() {
    int ours;
    pthread_setcancelstate(before, &ours);
  }
  Uncancelled(const Uncancelled &) = delete;
  Uncancelled &operator=(const Uncancelled &) = delete;

private:
  int before = PTHREAD_CANCEL_ENABLE;
};

} // namespace pocm
