// A bench by hand for the `utf-8` decoder of one lane, in a model of Verilator: noise in, all that comes out against a reference.
//
// It checks what `utfhdl cosim` checks: every slot, in the cycles that docs/interface.md promises, and the rules of the handshake.
//
// usage: bench UNITS STALL SEED    prints the cycles and the nanoseconds that they took

#include "Vmodel.h"
#include "verilated.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

namespace {

constexpr uint64_t LATENCY = 3;
constexpr uint64_t RESET_CYCLES = 4;
constexpr uint64_t QUIET_CYCLES = 16;
constexpr uint64_t PATIENCE = 64;

enum Kind : uint8_t { UNEXPECTED = 1, TRUNCATED, OVERLONG, SURROGATE, OUT_OF_RANGE, INVALID };

uint64_t cycle = 0;

[[noreturn]] void fail(const char* what) {
    std::printf("cycle %llu: %s\n", static_cast<unsigned long long>(cycle), what);
    std::exit(1);
}

void check(bool good, const char* what) {
    if (__builtin_expect(!good, 0)) fail(what);
}

// xorshift64*
class Random {
public:
    explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
    uint64_t bits() {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return state * 0x2545f4914f6cdd1du;
    }
    uint32_t below(uint32_t limit) { return (bits() >> 32) * limit >> 32; }

private:
    uint64_t state;
};

// Pieces of text: sequences of code points of all lengths, those at the edges of the table, damaged sequences, and garbage.
class Noise {
public:
    Noise(uint64_t count, uint64_t seed) : random(seed), left(count) {}
    bool is_at_end() const { return left == 0; }
    uint8_t next() {
        while (used == piece.size()) make_piece();
        left--;
        return piece[used++];
    }

private:
    void write(uint32_t point) {
        if (point < 0x80) {
            piece.push_back(point);
        } else if (point < 0x800) {
            piece.push_back(0xc0 | point >> 6);
        } else if (point < 0x10000) {
            piece.push_back(0xe0 | point >> 12);
            piece.push_back(0x80 | (point >> 6 & 0x3f));
        } else {
            piece.push_back(0xf0 | (point >> 18 & 7));
            piece.push_back(0x80 | (point >> 12 & 0x3f));
            piece.push_back(0x80 | (point >> 6 & 0x3f));
        }
        if (point >= 0x80) piece.push_back(0x80 | (point & 0x3f));
    }
    void valid() {
        static const uint32_t ranges[5][2] = {
            {0, 0x80}, {0x80, 0x780}, {0x800, 0xd000}, {0xe000, 0x2000}, {0x10000, 0x100000}};
        const uint32_t* range = ranges[random.below(5)];
        write(range[0] + random.below(range[1]));
    }
    void boundary() {
        static const uint32_t points[] = {0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff,
                                          0xe000, 0xffff, 0x10000, 0x10ffff, 0x110000, 0x1fffff};
        write(points[random.below(14)]);
    }
    void edge() {
        static const uint8_t units[] = {0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
                                        0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
        piece.push_back(units[random.below(20)]);
    }
    void make_piece() {
        piece.clear();
        used = 0;
        if (spell-- == 0) {
            calm = random.below(2);
            spell = 63;
        }
        if (calm && random.below(8)) return valid();
        switch (random.below(16)) {
        case 0: case 1: case 2: case 3:
            return valid();
        case 4: case 5: case 6: case 7: case 8:
            return boundary();
        case 9: case 10: case 11: case 12: {
            if (random.below(2)) valid(); else boundary();
            uint32_t at = random.below(piece.size());
            switch (random.below(4)) {
            case 0: piece[at] = random.below(256); return;
            case 1: piece[at] ^= 1 << random.below(8); return;
            case 2: piece.resize(at); return;
            default: piece.insert(piece.begin() + at, piece[at]); return;
            }
        }
        case 13: return edge();
        case 14: {
            edge();
            uint8_t unit = piece[0];
            piece.resize(1 + random.below(5), unit);
            return;
        }
        default: piece.push_back(random.below(256));
        }
    }

    Random random;
    uint64_t left;
    std::vector<uint8_t> piece;
    size_t used = 0;
    unsigned spell = 0;
    bool calm = false;
};

struct Beat {
    uint8_t unit;
    bool keep;
    bool last;
};

// Frames of any length, some of them empty, with empty beats anywhere.
class Stimulus {
public:
    Stimulus(uint64_t count, uint64_t seed) : noise(count, seed), random(seed + 1) {}
    bool next(Beat& beat) {
        static const uint32_t limits[] = {2, 2, 8, 8, 64, 64, 1024};
        if (!in_frame) {
            if (noise.is_at_end()) return false;
            late_end = random.below(4) == 0;
            left = random.below(limits[random.below(7)] + 1);
        }
        beat.keep = random.below(16) != 0 && left > 0 && !noise.is_at_end();
        if (beat.keep) {
            beat.unit = noise.next();
            left--;
        }
        bool is_all = left == 0 || noise.is_at_end();
        beat.last = is_all && (!beat.keep || !late_end);
        in_frame = !beat.last;
        return true;
    }

private:
    Noise noise;
    Random random;
    uint32_t left = 0;
    bool in_frame = false, late_end = false;
};

// A slot that the core owes, or a beat that only ends its frame.
struct Owed {
    uint32_t data;
    uint8_t user;
    bool keep, last;
    uint64_t certain, due;
};

// The timing rules of docs/interface.md for one lane.
class Schedule {
public:
    std::deque<Owed> owed;

    void pass(bool waits, bool refuses) {
        now = cycle - uncounted;
        uncounted += waits;
        since_wait = waits ? 0 : since_wait + 1;
        if (refuses) {
            bool is_busy = busy_until >= now || out >= now + LATENCY;
            check(since_wait <= LATENCY || is_busy, "s_axis_tready is low without need");
        }
    }
    void check_certain() const {
        check(!owed.empty() && cycle >= owed.front().certain + LATENCY, "a beat is too early");
    }
    void check_punctual() const { check(owed.empty() || owed.front().due > now, "a beat is late"); }
    void beat() {
        entered = now > busy_until ? now : busy_until + 1;
        busy_until = entered;
        made = 0;
    }
    void slot(uint32_t data, uint8_t user) {
        slots = entered > slots ? entered : slots + 1;
        if (++made > 2) busy_until = slots;
        out = slots + LATENCY > out ? slots + LATENCY : out + 1;
        owed.push_back({data, user, true, false, cycle, out});
    }
    void end() {
        if (made == 0) {
            out = entered + LATENCY > out ? entered + LATENCY : out + 1;
            owed.push_back({0, 0, false, false, cycle, out});
        }
        owed.back().last = true;
    }

private:
    uint64_t uncounted = 0, now = RESET_CYCLES, since_wait = 0;
    uint64_t entered = RESET_CYCLES, busy_until = RESET_CYCLES, slots = 0, out = 0;
    unsigned made = 0;
};

// The Unicode Standard, table 3-7, with the error of a maximal subpart.
class Decoder {
public:
    template <typename Sink> void unit(uint8_t unit, Sink&& slot) {
        if (missing > 0) {
            if (unit >= low && unit <= high) {
                value = value << 6 | (unit & 0x3f);
                low = 0x80, high = 0xbf;
                if (--missing == 0) slot(value, 0);
                return;
            }
            bool is_trailing = unit >= 0x80 && unit <= 0xbf;
            missing = 0;
            slot(0xfffd, is_trailing ? excluded : TRUNCATED);
        }
        lead(unit, slot);
    }
    template <typename Sink> void end(Sink&& slot) {
        if (missing > 0) slot(0xfffd, TRUNCATED);
        missing = 0;
    }

private:
    template <typename Sink> void lead(uint8_t unit, Sink&& slot) {
        low = 0x80, high = 0xbf;
        if (unit < 0x80) return slot(unit, 0);
        if (unit < 0xc0) return slot(0xfffd, UNEXPECTED);
        if (unit < 0xc2) return slot(0xfffd, OVERLONG);
        if (unit >= 0xf8) return slot(0xfffd, INVALID);
        if (unit >= 0xf5) return slot(0xfffd, OUT_OF_RANGE);
        missing = unit < 0xe0 ? 1 : unit < 0xf0 ? 2 : 3;
        value = unit & (0x3f >> missing);
        if (unit == 0xe0) low = 0xa0, excluded = OVERLONG;
        if (unit == 0xed) high = 0x9f, excluded = SURROGATE;
        if (unit == 0xf0) low = 0x90, excluded = OVERLONG;
        if (unit == 0xf4) high = 0x8f, excluded = OUT_OF_RANGE;
    }

    uint32_t value = 0;
    unsigned missing = 0;
    uint8_t low = 0x80, high = 0xbf;
    Kind excluded = TRUNCATED;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const uint64_t count = std::strtoull(argv[1], nullptr, 10), seed = std::strtoull(argv[3], nullptr, 10);
    const uint32_t stall = std::strtoul(argv[2], nullptr, 10);
    VerilatedContext context;
    Vmodel top(&context);
    Stimulus stimulus(count, seed);
    Random source(seed + 2), sink(seed + 3);
    Schedule schedule;
    Decoder decoder;
    Beat beat{};
    bool offered = false, exhausted = false, waited = false;
    uint64_t last_move = RESET_CYCLES, idle = 0, taken = 0, given = 0;
    uint32_t held_data = 0;
    uint8_t held_user = 0, held_keep = 0, held_last = 0;
    auto cycle_of_model = [&] {
        top.clk = 0;
        top.eval();
    };
    auto begin = std::chrono::steady_clock::now();
    top.rst = 1;
    for (; cycle < RESET_CYCLES; cycle++) {
        uint64_t noise = source.bits();
        top.s_axis_tvalid = 0;
        top.s_axis_tdata = noise & 0xff;
        top.s_axis_tkeep = noise >> 8 & 1;
        top.s_axis_tlast = noise >> 63;
        top.m_axis_tready = sink.below(2);
        cycle_of_model();
        check(!top.s_axis_tready && !top.m_axis_tvalid, "a handshake in reset");
        top.clk = 1;
        top.eval();
    }
    top.rst = 0;
    for (; !exhausted || offered || !schedule.owed.empty() || cycle < last_move + QUIET_CYCLES; cycle++) {
        if (!offered) {
            if (!exhausted && !(stall > 0 && source.below(100) < stall)) {
                offered = stimulus.next(beat);
                exhausted = !offered;
            }
            uint64_t noise = source.bits();
            top.s_axis_tvalid = offered;
            top.s_axis_tdata = offered && beat.keep ? beat.unit : noise & 0xff;
            top.s_axis_tkeep = offered ? beat.keep : noise >> 8 & 1;
            top.s_axis_tlast = offered ? beat.last : noise >> 63;
        }
        bool ready = !(stall > 0 && sink.below(100) < stall);
        top.m_axis_tready = ready;
        cycle_of_model();
        bool valid = top.m_axis_tvalid, takes = top.s_axis_tready;
        uint32_t data = top.m_axis_tdata;
        uint8_t user = top.m_axis_tuser, keep = top.m_axis_tkeep, last = top.m_axis_tlast;
        if (waited) {
            check(valid && data == held_data && user == held_user && keep == held_keep && last == held_last,
                  "a beat that waits changes");
        }
        waited = valid && !ready;
        if (waited) held_data = data, held_user = user, held_keep = keep, held_last = last;
        if (valid) {
            check(keep || (last && data == 0 && user == 0), "an empty beat that ends nothing, or holds something");
            check(user <= 10 || user >= 14, "a tuser that means no slot");
        }
        schedule.pass(waited, !takes);
        if (valid) {
            schedule.check_certain();
            if (ready) {
                const Owed& owed = schedule.owed.front();
                check(keep == owed.keep, "m_axis_tkeep differs from the reference");
                check(user == owed.user, "m_axis_tuser differs from the reference");
                check(data == owed.data, "m_axis_tdata differs from the reference");
                check(last == owed.last, "m_axis_tlast differs from the reference");
                given += owed.keep;
                schedule.owed.pop_front();
            }
        }
        if (!waited) schedule.check_punctual();
        bool outstanding = offered || !schedule.owed.empty();
        bool accepted = offered && takes;
        if (accepted) {
            auto slot = [&](uint32_t data, uint8_t user) { schedule.slot(data, user); };
            schedule.beat();
            if (beat.keep) decoder.unit(beat.unit, slot);
            if (beat.last) {
                decoder.end(slot);
                schedule.end();
            }
            taken += beat.keep;
            offered = false;
        }
        bool moved = accepted || (valid && ready);
        if (moved) last_move = cycle;
        idle = moved || !outstanding ? 0 : idle + ready;
        check(idle <= PATIENCE, "the core hangs");
        top.clk = 1;
        top.eval();
    }
    auto time = std::chrono::steady_clock::now() - begin;
    long long nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
    std::printf("%llu %lld %llu %llu\n", static_cast<unsigned long long>(cycle), nanoseconds,
                static_cast<unsigned long long>(taken), static_cast<unsigned long long>(given));
    top.final();
    return 0;
}
