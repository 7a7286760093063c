// The run in a document or in a shadow root that has the elements of body.html, and what its reader does with it.

import { ERROR, HEAD, INPUT_WAITS, NO_INPUT, OUTPUT_WAITS, RESET, ROW, cellAt, draw, endOf, palette, partsOf, valueOf } from "./draw.js";

const MOST_ZOOM = 120;

/**
 * A viewer in `root`. `told` is called whenever the cursor or what is followed changes, `pointed` with the row under the pointer, or null.
 * Returns what others can do with the viewer.
 */
export function viewer(root, { told = () => {}, pointed = () => {} } = {}) {
  const by = id => root.getElementById(id);
  const context = by("waves").getContext("2d");
  const view = { width: 0, height: 0, left: 0, top: 0, from: 0, zoom: 0, rows: [], pinned: 0, bands: {}, cursor: 0, selected: -1, path: [] };
  let run = null, folded = new Set(), marked = new Set(), colors = palette(), asked = false;
  const isPort = group => !group.rows.every(row => row.register);
  const hasLanes = group => group.rows.some(row => row.lane);

  const clamp = cycle => Math.min(run.cycles - 1, Math.max(0, cycle));
  const redraw = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      if (!run) return;
      view.top = by("view").scrollTop;
      view.from = by("view").scrollLeft;
      draw(context, run, view, colors);
    });
  };

  /** Chooses the rows, and writes their names. */
  function layOut() {
    const all = by("all").checked;
    view.rows = [];
    view.pinned = 0;
    view.bands = {};
    for (const group of run.groups) {
      const rows = group.rows.filter(row => all || !row.register || row.colored && (run.lanes === 1 || row.base !== "wave"));
      if (!rows.length) continue;
      view.rows.push(group);
      const first = view.rows.length;
      // Of the ports of several lanes the handshake stays.
      if (!folded.has(group)) view.rows.push(...rows);
      else if (hasLanes(group)) view.rows.push(...rows.filter(row => row.base === "wave"));
      if (isPort(group)) view.pinned = view.rows.length;
      if (group.title === "Input") view.bands.input = [first, view.rows.length];
      if (group.title === "Output") view.bands.output = [first, view.rows.length];
    }
    // Ports that leave little room for what is inside scroll with it.
    if (HEAD + view.pinned * ROW > by("view").clientHeight * .6) view.pinned = 0;
    const column = document.createElement("div"), top = document.createElement("div");
    column.className = "column";
    top.className = "pinned";
    column.append(top);
    for (const [index, row] of view.rows.entries()) {
      const element = document.createElement(row.rows ? "button" : "div");
      if (row.rows) {
        element.className = row.lanes ? "group strip" : "group";
        element.title = row.title;
        element.type = "button";
        element.textContent = `${folded.has(row) ? "▸" : "▾"} ${row.title}`;
        element.setAttribute("aria-expanded", String(!folded.has(row)));
        element.onclick = () => {
          if (!folded.delete(row)) folded.add(row);
          layOut();
        };
      } else {
        element.className = `row mono${row.lane ? " lane" : ""}${run.failure && row.name.split(" ")[0] === run.failure.port ? " wrong" : ""}`;
        element.title = [row.name, row.note].filter(Boolean).join(": ");
        const [name, at] = [document.createElement("bdi"), document.createElement("span")];
        const box = document.createElement("span");
        box.className = "name";
        name.textContent = row.name;
        box.append(name);
        at.className = "at";
        row.at = at;
        row.element = element;
        element.append(box, at);
      }
      (index < view.pinned ? top : column).append(element);
    }
    by("names").replaceChildren(column);
    showMarks();
    follow();
    resize();
    showValues();
  }

  function resize() {
    const box = by("view"), scale = window.devicePixelRatio || 1;
    view.left = by("names").firstChild.getBoundingClientRect().width;
    [view.width, view.height] = [box.clientWidth, box.clientHeight];
    const canvas = by("waves");
    [canvas.width, canvas.height] = [view.width * scale, view.height * scale];
    [canvas.style.width, canvas.style.height] = [`${view.width}px`, `${view.height}px`];
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const sheet = by("sheet");
    sheet.style.width = `${Math.max(view.width, Math.ceil(view.left + run.cycles * view.zoom))}px`;
    sheet.style.height = `${HEAD + view.rows.length * ROW}px`;
    by("names").style.width = sheet.style.width;
    redraw();
  }

  /** Zooms, and leaves the cycle at `x` where it is. */
  function zoomTo(zoom, x = (view.width - view.left) / 2) {
    const box = by("view"), least = Math.min(26, (view.width - view.left) / run.cycles);
    const cycle = (box.scrollLeft + x) / view.zoom;
    view.zoom = Math.min(MOST_ZOOM, Math.max(least, zoom));
    resize();
    box.scrollLeft = cycle * view.zoom - x;
    redraw();
  }

  /** Scrolls until a cycle is visible. */
  function scrollTo(cycle) {
    const box = by("view"), x = cycle * view.zoom, room = view.width - view.left;
    if (x < box.scrollLeft || x + view.zoom > box.scrollLeft + room) box.scrollLeft = x - room / 2;
    redraw();
  }

  /** The cells in which the followed sequence is first in each row, in the order in which it passes them. */
  function follow() {
    view.path = [];
    const sequence = view.selected >= 0 && run.sequences[view.selected];
    if (!sequence) return;
    const [from, to] = spanOf(sequence);
    view.rows.forEach((header, at) => {
      const row = header.rows ? header.lanes : header;
      if (!row || row.base === "wave") return;
      for (let cell = cellAt(row, from); cell < row.cells && row.starts[cell] <= to; cell++) {
        if (partsOf(run, row, cell).some(part => part[1] === view.selected)) {
          view.path.push([at, Math.max(from, row.starts[cell])]);
          break;
        }
      }
    });
    view.path.sort((one, other) => one[1] - other[1] || one[0] - other[0]);
  }

  const spanOf = sequence => [(sequence.taken || sequence.given || [0])[0], (sequence.given || sequence.taken || [0, 0])[1]];

  const inWords = index => {
    const sequence = run.sequences[index];
    const items = sequence.length === 1 ? `item ${sequence.offset}` : `items ${sequence.offset} to ${sequence.offset + sequence.length - 1}`;
    const taken = sequence.taken ? `, taken in cycle ${sequence.taken[0] + run.first}` + (sequence.taken[1] > sequence.taken[0] ? ` to ${sequence.taken[1] + run.first}` : "") : "";
    const given = sequence.given ? `, out in cycle ${sequence.given[0] + run.first}` : "";
    const what = sequence.kind === ERROR ? `error ${sequence.name}` : `${sequence.name} ${sequence.character}`.trim();
    return `${what}: ${sequence.items} (frame ${sequence.frame}, ${items}${taken}${given})` + (sequence.reason ? `; ${sequence.reason}` : "");
  };

  /** Marks the names of some rows, and scrolls to the first of them if none is visible. */
  function mark(wanted) {
    marked = new Set(run.groups.flatMap(group => group.rows).filter(wanted));
    const hidden = [...marked].filter(row => !view.rows.includes(row));
    if (marked.size && hidden.length === marked.size && folded.delete(hidden[0].group)) layOut();
    showMarks();
    const shown = [...marked].map(row => row.element).filter(element => element && element.isConnected);
    const box = by("view").getBoundingClientRect(), top = box.top + HEAD + view.pinned * ROW;
    const isVisible = element => (({ y }) => y >= top - 1 && y < box.bottom - ROW)(element.getBoundingClientRect());
    if (shown.length && !shown.some(isVisible)) {
      by("view").scrollTop += shown[0].getBoundingClientRect().y - top - ROW;
    }
  }

  const showMarks = () => view.rows.forEach(row => row.element && row.element.classList.toggle("marked", marked.has(row)));

  /** Writes the values at the cursor. */
  function showValues() {
    for (const row of view.rows) {
      if (row.at) row.at.textContent = valueOf(run, row, cellAt(row, view.cursor));
    }
  }

  /** Writes the values at the cursor, and says what is followed. */
  function tell() {
    showValues();
    const why = run.waits[view.cursor];
    const waits = [[RESET, "in reset"], [NO_INPUT, "the source has nothing"], [INPUT_WAITS, "the core does not take the input"], [OUTPUT_WAITS, "the sink does not take the output"]]
      .filter(([bit]) => why & bit).map(([, text]) => `, ${text}`).join("");
    by("cycle").value = view.cursor + run.first;
    by("status").textContent = `Cycle ${view.cursor + run.first}${waits}.` + (view.selected >= 0 ? ` ${inWords(view.selected)}.` : "");
    told(view);
    redraw();
  }

  /** Scrolls until units and slot of the followed sequence are visible together, if there is room for both. */
  function reveal() {
    const sequence = run.sequences[view.selected];
    if (!sequence) return;
    const box = by("view"), room = view.width - view.left;
    const [left, right] = [spanOf(sequence)[0] * view.zoom, (spanOf(sequence)[1] + 1) * view.zoom];
    if (right - left > room) return;
    if (left < box.scrollLeft) box.scrollLeft = left;
    if (right > box.scrollLeft + room) box.scrollLeft = right - room;
  }

  /** From the units of the followed sequence to its slot, and back. */
  function cross() {
    const sequence = run.sequences[view.selected];
    if (!sequence || !sequence.taken || !sequence.given) return;
    moveTo(view.cursor === sequence.given[0] ? sequence.taken[0] : sequence.given[0]);
  }

  function moveTo(cycle) {
    view.cursor = clamp(cycle);
    scrollTo(view.cursor);
    tell();
  }

  function select(index) {
    view.selected = index;
    follow();
    if (index >= 0) moveTo(spanOf(run.sequences[index])[0]);
    tell();
  }

  /** Goes to the next sequence that `wanted` accepts, or to the previous one. */
  function go(step, wanted) {
    const count = run.sequences.length;
    const near = run.sequences.findIndex(sequence => spanOf(sequence)[1] >= view.cursor);
    let at = view.selected >= 0 ? view.selected + step : step > 0 ? Math.max(near, 0) : near - 1;
    for (let tried = 0; tried < count; tried++, at += step) {
      const index = ((at % count) + count) % count;
      if (wanted(run.sequences[index])) return select(index);
    }
    by("status").textContent = "There is none.";
  }

  const isError = sequence => sequence.kind === ERROR;
  function matcher() {
    const text = by("search").value.trim(), lower = text.toLowerCase();
    const number = /^(?:u\+|0x)?([0-9a-f]{2,})$/i.exec(text);
    const name = number && `U+${number[1].replace(/^0+/, "").toUpperCase().padStart(4, "0")}`;
    return sequence => text !== "" && (sequence.name.toLowerCase() === lower || sequence.character === text
      || sequence.name === name || isError(sequence) && (lower === "error" || sequence.name.includes(lower)));
  }

  /** The row, the cell and the sequence at a point of the window. */
  function hit(event) {
    if (!run) return null;
    const box = by("view").getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (x < view.left || y < HEAD) return null;
    const cycle = clamp(Math.floor((x - view.left + view.from) / view.zoom));
    const pinned = y < HEAD + view.pinned * ROW;
    const header = view.rows[Math.floor((y - HEAD + (pinned ? 0 : view.top)) / ROW)];
    const row = header && header.rows ? header.lanes : header;
    if (!row) return { cycle, row: null, sequence: -1 };
    const cell = cellAt(row, cycle), parts = partsOf(run, row, cell);
    const [from, to] = [row.starts[cell] * view.zoom, endOf(run, row, cell) * view.zoom];
    let share = (x - view.left + view.from - from) / (to - from) * parts.reduce((sum, part) => sum + part[0], 0);
    const part = parts.find(([bits]) => (share -= bits) < 0) || parts[parts.length - 1];
    return { cycle, row, cell, sequence: part[1] };
  }

  function hover(event) {
    const at = event.pointerType === "touch" ? null : hit(event), tip = by("tip");
    pointed(at && at.row);
    tip.hidden = !at || !at.row;
    if (tip.hidden) return;
    const value = valueOf(run, at.row, at.cell);
    tip.textContent = `${at.row.name}${value ? ` = ${value}` : ""}, cycle ${at.cycle + run.first}` + (at.row.note ? `\n${at.row.note}` : "") + (at.sequence >= 0 ? `\n${inWords(at.sequence)}` : "");
    tip.style.left = `${Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 4)}px`;
    tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 4)}px`;
  }

  // Two fingers zoom.
  const fingers = new Map();
  let spread = 0;
  function pinch(event) {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size !== 2) return;
    const [a, b] = [...fingers.values()];
    const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    if (spread) zoomTo(view.zoom * now / spread, (a.clientX + b.clientX) / 2 - by("view").getBoundingClientRect().left - view.left);
    spread = now;
  }
  const lift = event => {
    fingers.delete(event.pointerId);
    spread = 0;
  };

  const keys = {
    ArrowLeft: event => moveTo(view.cursor - (event.shiftKey ? 10 : 1)),
    ArrowRight: event => moveTo(view.cursor + (event.shiftKey ? 10 : 1)),
    Home: () => moveTo(0),
    End: () => moveTo(run.cycles - 1),
    "+": () => zoomTo(view.zoom * 1.5),
    "=": () => zoomTo(view.zoom * 1.5),
    "-": () => zoomTo(view.zoom / 1.5),
    n: () => go(1, () => true),
    p: () => go(-1, () => true),
    e: () => go(1, isError),
    E: () => go(-1, isError),
    s: cross,
    Escape: () => select(-1),
  };

  const box = by("view");
  box.addEventListener("scroll", redraw, { passive: true });
  box.addEventListener("pointermove", event => (pinch(event), hover(event)));
  box.addEventListener("pointerleave", event => (lift(event), pointed(null), by("tip").hidden = true));
  box.addEventListener("pointerdown", event => event.pointerType === "touch" && fingers.set(event.pointerId, event));
  box.addEventListener("pointerup", lift);
  box.addEventListener("pointercancel", lift);
  box.addEventListener("click", event => {
    const at = hit(event);
    if (!at) return;
    view.selected = at.sequence;
    follow();
    view.cursor = at.cycle;
    reveal();
    tell();
  });
  box.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomTo(view.zoom * Math.exp(-event.deltaY / 300), event.clientX - box.getBoundingClientRect().left - view.left);
  }, { passive: false });
  box.addEventListener("keydown", event => {
    const act = run && event.target === box && !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
  by("tools").addEventListener("submit", event => {
    event.preventDefault();
    go(1, matcher());
  });
  by("find-previous").onclick = () => go(-1, matcher());
  by("error-next").onclick = () => go(1, isError);
  by("error-previous").onclick = () => go(-1, isError);
  by("cross").onclick = cross;
  by("zoom-in").onclick = () => zoomTo(view.zoom * 1.5);
  by("zoom-out").onclick = () => zoomTo(view.zoom / 1.5);
  by("zoom-fit").onclick = () => zoomTo(0, 0);
  by("all").onchange = layOut;
  by("cycle").onchange = () => moveTo(Number(by("cycle").value) - run.first);
  let boxHeight = 0;
  new ResizeObserver(() => {
    if (!run) return;
    const isOther = boxHeight !== (boxHeight = box.clientHeight);
    if (isOther) layOut(); else resize();
  }).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colors = palette();
    redraw();
  });

  /** Writes what is said of the whole run. */
  function describe() {
    const errors = run.sequences.filter(isError).length, points = run.sequences.filter(sequence => sequence.kind === 0).length;
    const lanes = run.lanes === 1 ? "1 lane" : `${run.lanes} lanes`;
    by("module").textContent = run.module;
    by("summary").textContent = `${run.cycles} cycles from ${run.first} on, ${points} code points, ${errors} errors, ${lanes}, latency ${run.latency}`;
    by("command").textContent = run.command;
    [by("cycle").min, by("cycle").max] = [run.first, run.first + run.cycles - 1];
    by("failure").hidden = !run.failure;
    by("failure-text").textContent = run.failure ? run.failure.text : "";
    by("failure-sides").replaceChildren();
    for (const [side, value] of run.failure ? run.failure.sides : []) {
      const line = by("failure-sides").insertRow(), head = document.createElement("th");
      head.scope = "row";
      head.textContent = side;
      line.append(head);
      line.insertCell().textContent = value;
    }
  }

  /** Shows a run. Zoom, cursor and folded groups stay if it is another run of the same core, and all else if it is more of the same run. */
  function show(next, isMore = false) {
    const isSame = run !== null && run.module === next.module, titles = new Set([...folded].map(group => group.title));
    run = next;
    const failed = run.failure ? run.failure.cycle - run.first : -1;
    const firstOut = run.waits.findIndex(why => !(why & RESET));
    // A core of several lanes opens with its stages folded: each shows the text that it holds.
    folded = new Set(run.groups.filter(group => isSame ? titles.has(group.title) : run.lanes > 1 && (hasLanes(group) || !isPort(group))));
    if (!isSame) view.zoom = run.lanes > 1 ? 66 : 40;
    [view.selected, view.path, marked] = [isMore ? view.selected : -1, [], new Set()];
    describe();
    layOut();
    if (isMore && failed < 0) tell(); else moveTo(failed >= 0 ? failed : isSame ? view.cursor : Math.max(0, firstOut));
  }

  /** Scrolls to a cycle, and to the first group whose title has a word. */
  function lead(word, cycle) {
    const at = view.rows.findIndex(row => row.rows && row.title.includes(word));
    if (at >= view.pinned) by("view").scrollTop = (at - view.pinned - 2) * ROW;
    by("view").scrollLeft = (cycle - run.first) * view.zoom;
  }

  return { show, lead, select, mark, moveTo, zoomTo, cross, view };
}
