//! Rules for names in Verilog.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The reason why `name` cannot name a module, an instance or a signal in Verilog, if any. The emitted files are read
/// as Verilog-2005 and as SystemVerilog, so the keywords of both are refused.
pub fn name_problem(name: &str) -> Option<&'static str> {
    let of_a_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    if name.is_empty() || !name.chars().all(of_a_name) {
        return Some("a name is made of ASCII letters, digits and _");
    }
    if name.starts_with(|character: char| character.is_ascii_digit()) {
        return Some("a name begins with a letter or _");
    }
    // Every signal of every module is looked up.
    static KEYWORDS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| SYSTEM_VERILOG.split_ascii_whitespace().collect());
    KEYWORDS.contains(name).then_some("it is a keyword of Verilog or SystemVerilog")
}

/// The reason why `name` cannot name a port, if any. In addition to [`name_problem`], the keywords of C++ are
/// refused, since Verilator makes C++ of a module and warns of such ports.
pub(super) fn port_name_problem(name: &str) -> Option<&'static str> {
    let is_cpp = || CPP.split_ascii_whitespace().any(|word| word == name);
    name_problem(name).or_else(|| is_cpp().then_some("it is a keyword of C++, of which Verilator warns"))
}

/// The names that the emitter gives to ports of its own.
pub(super) const RESERVED_PORTS: [&str; 3] = ["clk", "rst", "rst_n"];

/// Annex B of IEEE 1800-2017; it has all keywords of IEEE 1364-2005, too.
const SYSTEM_VERILOG: &str = "
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
    before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
    checker class clocking cmos config const constraint context continue cover covergroup coverpoint
    cross deassign default defparam design disable dist do edge else end endcase endchecker endclass
    endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage
    endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event
    eventually expect export extends extern final first_match for force foreach forever fork
    forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins
    implements implies import incdir include initial inout input inside instance int integer
    interconnect interface intersect join join_any join_none large let liblist library local
    localparam logic longint macromodule matches medium modport module nand negedge nettype new
    nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos
    posedge primitive priority program property protected pull0 pull1 pulldown pullup
    pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime
    ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always
    s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled
    signed small soft solve specify specparam static string strong strong0 strong1 struct super
    supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time
    timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union
    unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait
    wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
";

/// The keywords of C++20 that SystemVerilog does not have.
const CPP: &str = "
    alignas alignof and_eq asm auto bitand bitor bool catch char char16_t char32_t char8_t co_await
    co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete double
    dynamic_cast explicit false float friend goto inline long mutable namespace noexcept not_eq
    nullptr operator or_eq private public register reinterpret_cast requires short sizeof
    static_assert static_cast switch template thread_local throw true try typeid typename using
    volatile wchar_t xor_eq
";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn both_lists_are_complete_and_have_no_word_twice() {
        let words = |list: &'static str| list.split_ascii_whitespace();
        assert_eq!(words(SYSTEM_VERILOG).count(), 248, "Annex B of IEEE 1800-2017 has 248 keywords");
        let all: Vec<&str> = words(SYSTEM_VERILOG).chain(words(CPP)).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }
}
