//===- Version.cpp - Which PoCM this is ----------------------------------------===//
#include "pocm/pocm.h"

const char *pocm::version() { return POCM_VERSION; }
