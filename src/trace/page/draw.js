// A run, and the drawing of what is visible of it.

export const IDLE = 0, FIRST = 2, MIXED = 0x80000000;
export const ROW = 24, HEAD = 22, WAVE = 16;
export const ERROR = 2;
export const NO_INPUT = 1, INPUT_WAITS = 2, OUTPUT_WAITS = 4, RESET = 8;

export const bytesOf = text => Uint8Array.from(atob(text), digit => digit.charCodeAt(0));

/** Parses a run: its description, with the cells of each row as typed arrays. */
export function parse(bytes) {
  const length = new DataView(bytes).getUint32(0, true);
  const run = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  let at = 4 + length;
  const words = count => {
    const array = new Uint32Array(bytes, at, count);
    at += 4 * count;
    return array;
  };
  for (const group of run.groups) {
    for (const row of group.lanes ? [...group.rows, group.lanes] : group.rows) {
      row.starts = words(row.cells);
      for (let cell = 1; cell < row.cells; cell++) row.starts[cell] += row.starts[cell - 1];
      row.values = words(row.cells * row.words);
      row.colors = words(row.cells);
      row.group = group;
    }
  }
  run.waits = bytesOf(run.waits);
  run.sequences = run.sequences.map(([frame, offset, length, items, kind, name, character, reason, taken, given]) =>
    ({ frame, offset, length, items, kind, name, character, reason, taken, given }));
  return run;
}

/** The cell of a row that lasts over a cycle. */
export function cellAt(row, cycle) {
  let low = 0, high = row.cells;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (row.starts[middle] <= cycle) low = middle; else high = middle;
  }
  return low;
}

export const endOf = (run, row, cell) => cell + 1 < row.cells ? row.starts[cell + 1] : run.cycles;

/** A value as its row writes it. */
export function valueOf(run, row, cell) {
  if (row.colors[cell] === IDLE || row.base === "text") return "";
  const error = row.base === "slots" && row.colors[cell] >= FIRST && run.sequences[row.colors[cell] - FIRST];
  if (error && error.kind === ERROR) return error.name;
  let value = 0n;
  for (let word = row.words - 1; word >= 0; word--) {
    value = value << 32n | BigInt(row.values[cell * row.words + word]);
  }
  const label = row.labels && row.labels.find(([labelled]) => BigInt(labelled) === value);
  if (label) return label[1];
  if (row.base === "octal") return value.toString(8).padStart(3, "0");
  const digits = row.width <= 8 && !row.register ? Math.ceil(row.width / 4) : 1;
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

/** A character that stands for a sequence: its own, or one in place of what has no form. */
const glyphOf = ({ kind, character }) => kind === ERROR ? "\ufffd" : character.trim() || (character ? "␣" : "·");

/** The parts of a cell, the highest bits first: how many bits, and which sequence, or -1. */
export function partsOf(run, row, cell) {
  const color = row.colors[cell];
  const parts = color >= MIXED ? run.mixes[color - MIXED] : [[row.width, color]];
  return parts.map(([bits, color]) => [bits, color >= FIRST ? color - FIRST : -1]);
}

/** The colors of the page, as they are now: light or dark. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const of = name => style.getPropertyValue(name).trim();
  return {
    paper: of("--paper"), ink: of("--ink"), dim: of("--dim"), line: of("--line"), panel: of("--panel"), accent: of("--accent"),
    bad: of("--bad"), badFill: of("--bad-fill"), stall: of("--stall"), reset: of("--reset"),
    lightness: of("--lightness"), edge: of("--edge"), saturation: of("--saturation"),
  };
}

const HUES = 64;

/** Fill and edge of a sequence: one of some hues, or red. */
export function colorsOf(run, colors, sequence) {
  if (!colors.made) {
    const hue = index => 40 + (index * 137.508) % 290;
    colors.made = Array.from({ length: HUES }, (_, index) => [colors.lightness, colors.edge]
      .map(lightness => `hsl(${hue(index)} ${colors.saturation} ${lightness})`));
    colors.wrong = [colors.badFill, colors.bad];
  }
  return run.sequences[sequence].kind === ERROR ? colors.wrong : colors.made[sequence % HUES];
}

/**
 * Draws the rows and cycles that are visible.
 * `view` has: width, height, left (of the waves), top and from (scrolled), zoom (pixels a cycle), rows, how many of them are pinned
 * to the top, cursor, selected.
 */
export function draw(context, run, view, colors) {
  const { width, height, left, zoom } = view;
  context.clearRect(0, 0, width, height);
  context.font = "11px ui-monospace, 'DejaVu Sans Mono', monospace";
  context.textBaseline = "middle";
  context.save();
  context.beginPath();
  context.rect(left, 0, width - left, height);
  context.clip();
  const x = cycle => left + cycle * zoom - view.from;
  const first = Math.max(0, Math.floor(view.from / zoom));
  const end = Math.min(run.cycles, Math.ceil((view.from + width - left) / zoom) + 1);
  const start = Math.max(view.pinned, Math.floor((view.top - HEAD) / ROW));
  const behind = Math.min(view.rows.length, Math.ceil((view.top + height) / ROW));
  drawWaits(context, run, view, colors, x, first, end, [view.pinned, view.rows.length]);
  drawRows(context, run, view, colors, x, first, end, start, behind);
  if (view.pinned) {
    // The ports stay in sight: what is scrolled below them is covered.
    context.fillStyle = colors.paper;
    context.fillRect(left, 0, width - left, rowTop(view, view.pinned - 1) + ROW);
    drawWaits(context, run, view, colors, x, first, end, [0, view.pinned]);
    drawRows(context, run, view, colors, x, first, end, 0, view.pinned);
    context.fillStyle = colors.accent;
    context.fillRect(left, rowTop(view, view.pinned - 1) + ROW - 1, width - left, 1);
  }
  drawPath(context, run, view, colors, x);
  drawCycles(context, run, view, colors, x, first, end);
  context.restore();
}

/** The top of a row: the pinned ones are not scrolled. */
const rowTop = (view, at) => HEAD + at * ROW - (at < view.pinned ? 0 : view.top);

function drawRows(context, run, view, colors, x, first, end, start, behind) {
  for (let at = start; at < behind; at++) {
    const row = view.rows[at], y = rowTop(view, at) + 4;
    if (row.rows) {
      context.fillStyle = colors.panel;
      context.fillRect(view.left, y - 4, view.width - view.left, ROW);
    }
    if (!row.rows || row.lanes) drawRow(context, run, view, colors, row.lanes || row, x, y, first, end);
  }
}

/** Shades the cycles in which a side waits, or the core is in reset, over some rows. */
function drawWaits(context, run, view, colors, x, first, end, [low, high]) {
  const step = Math.max(1, Math.floor(1 / view.zoom));
  const band = (rows, mask, fill) => {
    const [top, bottom] = rows ? [Math.max(rows[0], low), Math.min(rows[1], high)] : [0, 0];
    if (bottom <= top) return;
    context.fillStyle = fill;
    for (let cycle = first; cycle < end; cycle += step) {
      if (run.waits[cycle] & mask) context.fillRect(x(cycle), rowTop(view, top), Math.max(1, view.zoom), (bottom - top) * ROW);
    }
  };
  band(view.bands.input, NO_INPUT | INPUT_WAITS, colors.stall);
  band(view.bands.output, OUTPUT_WAITS, colors.stall);
  band([0, view.rows.length], RESET, colors.reset);
}

function drawRow(context, run, view, colors, row, x, y, first, end) {
  const middle = y + WAVE / 2;
  for (let cell = cellAt(row, first); cell < row.cells && row.starts[cell] < end;) {
    const behind = endOf(run, row, cell);
    const from = x(row.starts[cell]), to = x(behind);
    const color = row.colors[cell];
    const hidden = view.selected >= 0 && color >= FIRST && !partsOf(run, row, cell).some(part => part[1] === view.selected);
    context.globalAlpha = hidden ? 0.3 : 1;
    if (to - from < 2 && row.base !== "wave") {
      const parts = color >= MIXED && partsOf(run, row, cell).find(part => part[1] >= 0);
      const sequence = parts ? parts[1] : color - FIRST;
      context.fillStyle = color < FIRST ? colors.line : colorsOf(run, colors, sequence)[color >= MIXED ? 1 : 0];
      context.fillRect(from, color === IDLE ? middle : y, Math.max(1, to - from), color === IDLE ? 1 : WAVE);
    } else if (row.base === "wave") drawWave(context, run, colors, row, cell, from, to, y);
    else if (color === IDLE) {
      context.fillStyle = colors.line;
      context.fillRect(from, middle, to - from, 1);
    } else if (row.base === "text") drawLanes(context, run, colors, row, cell, from, to, y);
    else drawCell(context, run, view, colors, row, cell, from, to, y);
    context.globalAlpha = 1;
    // Of the cells that share a pixel, one is drawn.
    cell = to - from < 1 ? Math.max(cell + 1, cellAt(row, Math.floor((from + 1 + view.from - view.left) / view.zoom))) : cell + 1;
  }
}

function drawWave(context, run, colors, row, cell, from, to, y) {
  const high = row.values[cell] === 1, color = row.colors[cell];
  if (color >= FIRST && high) {
    context.fillStyle = color >= MIXED ? colors.line : colorsOf(run, colors, color - FIRST)[0];
    context.fillRect(from, y, to - from, WAVE);
  }
  context.fillStyle = colors.dim;
  context.fillRect(from, high ? y : y + WAVE, Math.max(1, to - from), 1.4);
  if (cell > 0 && row.values[cell - 1] !== row.values[cell]) context.fillRect(from, y, 1, WAVE);
}

function drawCell(context, run, view, colors, row, cell, from, to, y) {
  const parts = partsOf(run, row, cell), bits = parts.reduce((sum, part) => sum + part[0], 0);
  const width = Math.max(1, to - from - (to - from > 3 ? 1 : 0));
  let left = from, one = -1;
  for (const [count, sequence] of parts) {
    const right = left + width * count / bits;
    if (sequence >= 0) {
      const [fill, edge] = colorsOf(run, colors, sequence);
      one = sequence;
      context.fillStyle = fill;
      context.fillRect(left, y, right - left, WAVE);
      context.fillStyle = edge;
      context.fillRect(left, y + WAVE - 2, right - left, 2);
    } else {
      context.strokeStyle = colors.line;
      context.strokeRect(left + .5, y + .5, Math.max(0, right - left - 1), WAVE - 1);
    }
    left = right;
  }
  if (to - from < 14) return;
  const visible = Math.max(from, view.left), text = fitted(context, valueOf(run, row, cell), to - visible - 4);
  context.fillStyle = one < 0 ? colors.dim : colors.ink;
  context.fillText(text, visible + 3, y + WAVE / 2);
}

/** As much of a text as there is room for. */
function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  const characters = [...text], count = Math.floor(room / context.measureText("0").width) - 1;
  return count < 2 ? "" : `${characters.slice(0, count).join("")}…`;
}

/** The characters of a cell, each in its lanes, lane 0 on the left. */
function drawLanes(context, run, colors, row, cell, from, to, y) {
  const lane = (to - from - 1) / row.width;
  let left = from;
  context.textAlign = "center";
  for (const [lanes, sequence] of partsOf(run, row, cell)) {
    const width = lane * lanes;
    if (sequence >= 0) {
      const [fill, edge] = colorsOf(run, colors, sequence);
      context.fillStyle = fill;
      context.fillRect(left, y, width, WAVE);
      context.fillStyle = edge;
      context.fillRect(left, y + WAVE - 2, width, 2);
      if (width >= 6) {
        context.fillStyle = colors.ink;
        context.fillText(glyphOf(run.sequences[sequence]), left + width / 2, y + WAVE / 2);
      }
    }
    left += width;
  }
  context.textAlign = "start";
}

/** A line from row to row through the first cells of the sequence that is followed. */
function drawPath(context, run, view, colors, x) {
  if (view.selected < 0) return;
  context.strokeStyle = colorsOf(run, colors, view.selected)[1];
  context.lineWidth = 1.5;
  context.beginPath();
  let started = false;
  view.path.forEach(([at, cycle]) => {
    const [to, y] = [x(cycle) + view.zoom / 2, rowTop(view, at) + ROW / 2];
    if (started) context.lineTo(to, y); else context.moveTo(to, y);
    started = true;
  });
  context.stroke();
  context.lineWidth = 1;
}

function drawCycles(context, run, view, colors, x, first, end) {
  context.fillStyle = colors.paper;
  context.fillRect(view.left, 0, view.width, HEAD);
  const room = 60 / view.zoom;
  const step = [1, 2, 5, 10, 20, 50].find(step => step >= room) || 10 ** Math.ceil(Math.log10(room));
  for (let cycle = Math.ceil((first + run.first) / step) * step - run.first; cycle < end; cycle += step) {
    context.fillStyle = colors.line;
    context.fillRect(x(cycle), HEAD - 4, 1, 4);
    context.fillStyle = colors.dim;
    context.fillText(String(cycle + run.first), x(cycle) + 3, HEAD / 2);
  }
  if (run.failure) {
    context.fillStyle = colors.bad;
    context.fillRect(x(run.failure.cycle - run.first), 0, Math.max(2, view.zoom), 4);
  }
  context.strokeStyle = colors.accent;
  context.strokeRect(x(view.cursor) + .5, .5, Math.max(1, view.zoom - 1), view.height);
}
