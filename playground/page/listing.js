// The Verilog of a core, whose registers are linked to the rows of the picture.

import { FIRST, IDLE, MIXED, cellAt, colorsOf, palette, partsOf, valueOf } from "./trace/draw.js";
import { Lines } from "./lines.js";

const LINE = 18;
const MOST_SWATCHES = 8;

/** A listing in `box`. `pointed` is called with the rows of the register under the pointer. */
export function listing(box, pointed) {
  let text = [], modules = [], top = null, rows = new Map(), declared = new Map(), run = null, cursor = 0, marked = new Set();
  let colors = palette();
  const lines = new Lines(box, LINE, line);

  /** The rows of a word in a line. */
  const rowsOf = (word, index) => rows.get(`${modules[index]}.${word}`) || [];

  function line(index) {
    const element = document.createElement("div");
    element.className = `line${marked.has(index) ? " marked" : ""}`;
    const [number, swatches, code] = ["number", "swatches", "code"].map(name => {
      const part = document.createElement("span");
      part.className = name;
      return part;
    });
    number.textContent = index + 1;
    if (declared.has(index)) swatches.append(...declared.get(index).slice(0, MOST_SWATCHES).map(swatch));
    const comment = text[index].indexOf("//"), end = comment < 0 ? text[index].length : comment;
    for (const part of text[index].slice(0, end).split(/(\b[a-z_]\w*\b)/i)) {
      if (rowsOf(part, index).length) {
        const word = document.createElement("b");
        word.textContent = part;
        code.append(word);
      } else code.append(part);
    }
    if (comment >= 0) {
      const rest = document.createElement("i");
      rest.textContent = text[index].slice(end);
      code.append(rest);
    }
    element.append(number, swatches, code);
    return element;
  }

  /** The colour of what a row holds at the cursor, with its value. */
  function swatch(row) {
    const element = document.createElement("span"), cell = cellAt(row, cursor), color = row.colors[cell];
    const sequence = color >= FIRST ? partsOf(run, row, cell).map(part => part[1]).find(part => part >= 0) ?? -1 : -1;
    element.className = "swatch";
    if (sequence >= 0) element.style.background = colorsOf(run, colors, sequence)[color >= MIXED ? 1 : 0];
    element.title = color === IDLE ? `${row.name}: nothing of the text` : `${row.name} = ${valueOf(run, row, cell)}`;
    return element;
  }

  const find = event => {
    const word = event.target.closest?.("b"), element = event.target.closest?.(".line");
    return word ? rowsOf(word.textContent, Number(element.dataset.index)) : [];
  };
  box.addEventListener("pointerover", event => pointed(find(event)));
  box.addEventListener("pointerleave", () => pointed([]));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colors = palette();
    lines.redraw();
  });

  return {
    /** Shows Verilog, with the modules of the instances by their paths. */
    show(verilog, instances, trace) {
      text = verilog.split("\n");
      let module = "";
      modules = text.map(line => module = /^module (\w+)/.exec(line)?.[1] ?? module);
      run = trace;
      rows = new Map();
      declared = new Map();
      marked = new Set();
      for (const row of trace ? trace.groups.flatMap(group => group.rows) : []) {
        const parts = row.name.split("."), name = parts.pop(), key = `${instances[parts.join(".")]}.${name}`;
        rows.set(key, [...rows.get(key) || [], row]);
      }
      text.forEach((line, index) => {
        const name = /^\s*(?:input|output|reg)\b.*?(\w+)\s*[,;]?\s*(?:\/\/.*)?$/.exec(line)?.[1];
        if (name && rowsOf(name, index).length) declared.set(index, rowsOf(name, index));
      });
      lines.show(text.length);
      // Another core opens where its registers are.
      const registers = [...declared.keys()].find(index => /^\s*reg\b/.test(text[index]));
      if (modules.at(-1) !== top && registers !== undefined) lines.reveal(registers);
      top = modules.at(-1);
    },
    /** Shows the colours of a cycle. */
    moveTo(cycle) {
      cursor = cycle;
      lines.redraw();
    },
    /** Marks the line that declares a row's register, and scrolls to it. */
    mark(row) {
      const found = row ? [...declared].filter(([, rows]) => rows.includes(row)).map(([index]) => index) : [];
      if (found.length === marked.size && found.every(index => marked.has(index))) return;
      marked = new Set(found);
      if (found.length) lines.reveal(found[0]);
      lines.redraw();
    },
  };
}
