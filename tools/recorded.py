"""Tables of docs/verification.md whose rows take long: a JSON file keeps the result of each, and the page shows them. tools/prove and tools/mutants use it."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "verification.md"


class Table:
    """The table `name`: docs/NAME.json, and the lines of the page between the comments `NAME: begin` and `NAME: end`.

    `rows` are the keys of the rows in their order: tuples with the values of the `columns` of the JSON file. `line` makes a line of the page of
    a key and of what is known of it, or `None`.
    """

    def __init__(self, name, columns, rows, heading, line):
        self.path = ROOT / "docs" / f"{name}.json"
        self.begin, self.end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
        self.columns, self.rows, self.heading, self.line = columns, rows, heading, line
        known = json.loads(self.path.read_text()) if self.path.exists() else []
        self.known = {self.key(row): row for row in known}

    def key(self, row):
        return tuple(row[column] for column in self.columns)

    def wanted(self, words):
        """The rows whose text has one of the words; all, if there are none."""
        found = [key for key in self.rows if not words or any(word in " ".join(key) for word in words)]
        if not found:
            sys.exit(f"{sys.argv[0]}: no row has {' or '.join(words)}")
        return found

    def add(self, row):
        self.known[self.key(row)] = row
        self.write()

    def write(self):
        """Writes the JSON file, and the table of the page."""
        known = [self.known[key] for key in self.rows if key in self.known]
        self.path.write_text("[\n" + ",\n".join("  " + json.dumps(row) for row in known) + "\n]\n")
        titles = [f"| {' | '.join(self.heading)} |", f"| {' | '.join('---' for _ in self.heading)} |"]
        lines = titles + [f"| {' | '.join(self.line(key, self.known.get(key)))} |" for key in self.rows]
        before, rest = PAGE.read_text().split(self.begin)
        _, after = rest.split(self.end)
        PAGE.write_text(before + self.begin + "".join(line + "\n" for line in lines) + self.end + after)


def commit():
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def built(binary):
    """The path of `binary`, or of a release build if it is `None`."""
    if not binary:
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    return binary or ROOT / "target" / "release" / "utfhdl"


def netlist(binary, core):
    """The hash of the netlist of a core."""
    command = [binary, "prove", *core.split(), "--netlist"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
