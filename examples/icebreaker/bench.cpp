// Passes standard input through the simulated board: each octet goes in on the serial line, one right behind the other, and
// what comes out on the other line goes to standard output. What the lights showed goes to standard error.
//
// usage: board-sim <INPUT >OUTPUT
//        board-sim --percent N   the source is faster by N %, or slower if N is negative

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "Vboard.h"
#include "verilated.h"

// A frame ends after so many cycles without a character.
constexpr uint64_t IDLE = 1 << 20;
// The values of three lights.
constexpr int KINDS = 8;

namespace {

struct Board {
    VerilatedContext context;
    Vboard top{&context};
    uint64_t cycle = 0;
    bool lost = false;
    bool active = false;
    bool kinds[KINDS] = {};
    std::string received;
    // Receiver: the cycle in the middle of the next bit, and how many bits there are of the octet.
    double middle = 0;
    int bit = -1;
    uint8_t octet = 0;
    bool broken = false;

    // A clock cycle with this level on the line.
    void run(bool line) {
        top.rx = line;
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
        cycle++;
        lost |= !top.red_n;
        active |= !top.green_n;
        kinds[top.led] = true;
        receive(top.tx);
    }

    void receive(bool line) {
        if (bit < 0) {
            if (line) return;
            bit = 0;
            middle = cycle + 1.5 * CLOCKS_PER_BIT;
        } else if (cycle >= middle) {
            if (bit < 8) {
                octet = static_cast<uint8_t>(line << 7 | octet >> 1);
            } else {
                broken |= !line;
                received.push_back(static_cast<char>(octet));
            }
            bit = bit < 8 ? bit + 1 : -1;
            middle += CLOCKS_PER_BIT;
        }
    }
};

}  // namespace

int main(int argc, char **argv) {
    double percent = 0;
    if (argc == 3 && std::strcmp(argv[1], "--percent") == 0) {
        percent = std::atof(argv[2]);
    } else if (argc != 1) {
        std::fprintf(stderr, "usage: board-sim [--percent N] <INPUT >OUTPUT\n");
        return 2;
    }
    std::string text;
    char part[4096];
    for (size_t count; (count = std::fread(part, 1, sizeof part, stdin)) > 0;) text.append(part, count);
    if (std::ferror(stdin)) {
        std::perror("board-sim: cannot read standard input");
        return 2;
    }

    auto board = std::make_unique<Board>();
    board->top.button_n = 1;
    const double bit = CLOCKS_PER_BIT / (1 + percent / 100);
    for (int i = 0; i < 100; i++) board->run(true);
    double end = static_cast<double>(board->cycle);
    for (unsigned char octet : text) {
        // Start bit, data bits, stop bit.
        const unsigned bits = 1u << 9 | octet << 1;
        for (int i = 0; i < 10; i++) {
            end += bit;
            while (static_cast<double>(board->cycle) < end) board->run(bits >> i & 1);
        }
    }
    // The last sequence may be cut short, which shows once the frame has ended.
    for (uint64_t i = 0; i < IDLE + 200 * CLOCKS_PER_BIT; i++) board->run(true);

    if (std::fwrite(board->received.data(), 1, board->received.size(), stdout) != board->received.size() ||
        std::fflush(stdout) != 0) {
        std::perror("board-sim: cannot write standard output");
        return 2;
    }
    std::fprintf(stderr, "octets: %zu in, %zu out; lights: green %d, red %d, kinds of errors", text.size(),
                 board->received.size(), board->active, board->lost);
    for (int kind = 1; kind < KINDS; kind++)
        if (board->kinds[kind]) std::fprintf(stderr, " %d", kind);
    std::fprintf(stderr, "\n");
    if (board->broken) {
        std::fprintf(stderr, "board-sim: an octet that came out has no stop bit\n");
        return 1;
    }
    return 0;
}
