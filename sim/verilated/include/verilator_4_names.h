// The names of Verilator 4 that the shims of the crate `verilated` use, for Verilator 5.
#ifndef UTFHDL_VERILATOR_4_NAMES_H_
#define UTFHDL_VERILATOR_4_NAMES_H_
#include <verilated.h>
#include <verilated_vcd_c.h>
using VerilatedVoidCb = void (*)(void*);
#define flushCb(callback) addFlushCb(callback, nullptr)
#define rolloverMB(megabytes) rolloverSize(static_cast<uint64_t>(megabytes) << 20)
#endif
