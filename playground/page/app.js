// The playground: what is chosen, and what comes of it.

import { Engine } from "./engine.js";
import { Lines } from "./lines.js";
import { listing } from "./listing.js";
import { read, write } from "./link.js";
import { picture } from "./picture.js";
import { ERROR, parse } from "./trace/draw.js";

const by = id => document.getElementById(id);
const CHOICES = ["lanes", "on-error", "reset", "axis", "bus", "pack", "pipeline"];
const BITS = ["position", "line", "column", "tid", "tdest", "tuser"];
const FLAGS = ["kinds", "status", "x-interface"];
const TEXTS = ["name", "timescale", "frames"];
const MARKS = ["start", "newline"];
const ABOUT = ["core", "input", "fault", "run"];
const EVENT = 24;
const MOST_SUGGESTED = 50;
const MOST_FILE = 16 << 20;
const MOST_LINK = 100_000;
const PATIENCE = 300;
/** Cycles of a long run that are shown before the others. */
const AT_ONCE = 2000;

const EXAMPLES = {
  "accents, kanji, an emoji": ["text", "Zürich, Łódź, 東京 😀"],
  "every error of UTF-8": ["units", "41 80  ED A0 80  C0 AF  E2 82 41  F4 90 80 80  FF 42"],
  "a surrogate: three errors": ["units", "ED A0 80"],
  "the longest runs": ["text", "😀😀😀😀😀😀😀😀aaaaaaaaaaaaaaaa€€€€€€€€"],
  "a line of markup": ["text", "<p>Ωμέγα &amp; <b>naïve</b> café</p>\n"],
};

const engine = new Engine();
/** The engine of whole runs that are long: it is made when the first of them is run. */
let whole = null;
/** What is chosen, with the names of the command line. */
const state = {
  system: "utf-8", role: "decoder", lanes: 1, "on-error": "", reset: "sync-high", axis: "lane", bus: "long", pack: "beat", pipeline: "auto",
  kinds: false, mark: [], position: 0, line: 0, column: 0, status: false, tid: 0, tdest: 0, tuser: 0, name: "", timescale: "", "x-interface": false, "clock-mhz": 100,
  input: "text", random: 200, stall: [0, 0], seed: 1, frames: "", fault: "",
};
let file = new Uint8Array(), run = null, selected = -1, signals = [], signalsOf = "";

const encoded = text => new TextEncoder().encode(text);
const input = () => state.input === "file" ? file : encoded(by("content").value);

/** The position of half a surrogate pair in a text, or -1. */
const loneSurrogate = text => text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);

const events = new Lines(by("events"), EVENT, index => {
  const sequence = run.sequences[index], line = document.createElement("div");
  line.className = `line${sequence.kind === ERROR ? " error" : ""}${index === selected ? " marked" : ""}`;
  const part = (name, text) => {
    const element = document.createElement("span");
    element.className = name;
    element.textContent = text;
    line.append(element);
  };
  const cycles = sequence.taken ? `cycle ${sequence.taken[0] + run.first}${sequence.given ? ` → ${sequence.given[0] + run.first}` : ""}` : "";
  part("offset", sequence.frame ? `${sequence.frame}:${sequence.offset}` : sequence.offset);
  part("what", sequence.kind === ERROR ? sequence.name : `${sequence.name} ${sequence.character}`);
  part("units", sequence.items);
  part("cycles", cycles);
  part("reason", sequence.reason);
  return line;
});

let shown = null, code = null;

/** Says on its part of the page what is wrong. */
function complain(problem) {
  for (const about of ABOUT) by(`problem-${about}`).textContent = "";
  if (problem) by(`problem-${ABOUT.includes(problem.about) ? problem.about : "run"}`).textContent = problem.text;
}

/** Offers choices in a select element, and takes the first if what was chosen is none of them. Returns whether it was. */
function offer(id, choices) {
  const select = by(id), names = choices.map(String);
  if (select.dataset.names !== names.join()) {
    select.dataset.names = names.join();
    select.replaceChildren(...names.map(name => new Option(name)));
  }
  const wanted = String(state[id] === "" ? names[0] : state[id]), isThere = names.includes(wanted);
  select.value = isThere ? wanted : names[0];
  select.disabled = names.length === 1;
  if (!isThere) state[id] = id === "lanes" ? Number(names[0]) : names[0];
  return isThere;
}

/** Asks which choices there are, and offers them. */
async function offerChoices() {
  const { problem, ...choices } = await engine.ask("choices", state, encoded(""));
  if (problem) return complain(problem);
  for (const id of ["system", "to"]) {
    if (by(id).options.length) continue;
    by(id).replaceChildren(...choices.systems.map(name => new Option(name)));
    by("fault-kind").append(...(id === "to" ? choices.faults.map(name => new Option(name)) : []));
  }
  // What depends on the number of lanes is asked for again if there is another one now.
  const isAsOffered = CHOICES.map(id => offer(id, choices[id])).every(Boolean);
  if (!isAsOffered && state.lanes === 1) {
    const { problem, ...again } = await engine.ask("choices", state, encoded(""));
    if (!problem) CHOICES.forEach(id => offer(id, again[id]));
  }
  for (const id of BITS) by(id).max = choices.most[id];
}

/** Writes the state into the controls. */
function showState() {
  const [role, to] = state.role.split(":");
  by("system").value = state.system;
  by("role").value = role;
  by("to").value = to || (by("to").value || "utf-16");
  by("to-label").hidden = role !== "transcoder";
  for (const id of FLAGS) by(id).checked = state[id];
  for (const id of [...BITS, ...TEXTS, "clock-mhz"]) if (by(id) !== document.activeElement) by(id).value = state[id];
  for (const mark of MARKS) by(mark).checked = state.mark.includes(mark);
  for (const id of ["kinds", ...MARKS]) by(id).disabled = role !== "validator";
  for (const place of ["position", "line", "column"]) by(place).disabled = role !== "decoder";
  by("status").disabled = role === "encoder";
  by("input").value = state.input;
  by("random").value = state.random;
  [by("source").value, by("sink").value] = state.stall;
  [by("source-out").value, by("sink-out").value] = state.stall.map(percent => `${percent} %`);
  by("seed").value = state.seed;
  // A kind without a signal is no fault yet, and stays chosen.
  if (state.fault) [by("fault-kind").value, by("fault-signal").value] = state.fault.split("@");
  by("content").hidden = state.input === "file" || state.input === "random";
  by("file-label").hidden = state.input !== "file";
  by("random-label").hidden = state.input !== "random";
  by("content").placeholder = role === "encoder" ? "code points or errors, one a line" : "hexadecimal digits; octal ones for units of nine bits";
}

/** Reads the state from the controls. */
function readState() {
  const number = (id, least, most) => Math.min(most, Math.max(least, Math.trunc(Number(by(id).value)) || 0));
  const before = state.role;
  state.system = by("system").value;
  state.role = by("role").value === "transcoder" ? `transcoder:${by("to").value || "utf-16"}` : by("role").value;
  for (const id of CHOICES) state[id] = id === "lanes" ? Number(by(id).value) : by(id).value;
  for (const id of BITS) state[id] = number(id, 0, Number(by(id).max));
  for (const id of FLAGS) state[id] = by(id).checked;
  for (const id of TEXTS) state[id] = by(id).value.trim();
  state["clock-mhz"] = Number(by("clock-mhz").value) || 0;
  state.mark = MARKS.filter(mark => by(mark).checked);
  if (before.split(":")[0] !== state.role.split(":")[0]) Object.assign(state, { "on-error": "", kinds: false, mark: [], position: 0, line: 0, column: 0, status: false });
  state.input = by("input").value;
  state.random = number("random", 1, 20000);
  state.stall = [number("source", 0, 90), number("sink", 0, 90)];
  state.seed = number("seed", 0, 2 ** 32 - 1);
  const [kind, signal] = [by("fault-kind").value, by("fault-signal").value.trim()];
  state.fault = kind && signal ? `${kind}@${signal}` : "";
}

function figures(answer) {
  const figure = (value, unit) => {
    const element = document.createElement("span"), strong = document.createElement("b");
    strong.textContent = value;
    element.append(strong, ` ${unit}`);
    return element;
  };
  const report = answer.part ? null : answer.report, items = state.role === "encoder" ? "slots" : "units";
  const list = [figure(answer.latency, "cycles of latency")];
  if (report) {
    list.push(figure(report.taken, `${items} in`), figure(report.given, `${state.role === "encoder" || state.role.startsWith("transcoder") || state.role === "validator" ? "units" : "slots"} out`));
    list.push(figure(report.cycles, "cycles"), figure((report.taken / report.cycles).toFixed(2), `${items} a cycle in this run`));
    list.push(figure(Object.values(report.errors).reduce((sum, count) => sum + count, 0), "errors"), figure("✓", state.fault ? "agrees with the reference: this input does not show the fault" : "agrees with the reference"));
  } else if (run && run.failure) list.push(figure("✗", "differs from the reference"));
  if (answer.part) list.push(figure("…", `the first ${run.cycles} cycles; the whole run is on its way`));
  by("figures").replaceChildren(...list);
}

/** Shows an answer, which can be more of the run that is shown. */
function show(answer, isMore = false) {
  complain(answer.problem);
  run = answer.bytes && answer.bytes.byteLength ? parse(answer.bytes) : null;
  by("note").textContent = answer.note || "";
  if (answer.verilog === undefined) return;
  by("command").textContent = answer.command;
  by("generate").textContent = answer.generate;
  figures(answer);
  by("picture").hidden = !run;
  if (!isMore) {
    selected = -1;
    by("explained").replaceChildren();
  }
  code.show(answer.verilog, answer.instances, run);
  events.show(run ? run.sequences.length : 0);
  if (run) shown.show(run, isMore);
}

/** Runs all of what is chosen, after its first cycles are shown, until something else is chosen. */
async function showWhole() {
  whole ??= new Engine();
  document.body.dataset.whole = "false";
  try {
    show(await whole.ask("run", state, input()), true);
    document.body.dataset.whole = "true";
  } catch (error) {
    if (error.message !== "stopped") complain({ about: "run", text: `The page failed, and not by your fault: ${error.message}` });
  }
}

let isBusy = false, isAsked = false;

/** Runs what is chosen; if something else is chosen meanwhile, that too. The page is ready when it shows what is chosen. */
async function refresh() {
  isAsked = true;
  document.body.dataset.ready = "false";
  if (isBusy) return;
  isBusy = true;
  const timer = setTimeout(() => by("busy").hidden = false, PATIENCE);
  while (isAsked) {
    isAsked = false;
    try {
      await offerChoices();
      showState();
      const lone = state.input === "text" ? loneSurrogate(by("content").value) : -1;
      if (lone >= 0) {
        const number = by("content").value.charCodeAt(lone).toString(16).toUpperCase();
        complain({ about: "input", text: `U+${number} is half of a pair of surrogates, which no text can have: write units, in digits, in place of text` });
      } else {
        if (whole?.isBusy) whole.restart();
        const answer = await engine.ask("run", state, input(), AT_ONCE);
        show(answer);
        if (answer.part && !isAsked) showWhole();
      }
    } catch (error) {
      complain({ about: "run", text: error.message === "stopped" ? "The run was stopped." : `The page failed, and not by your fault: ${error.message}` });
    }
  }
  clearTimeout(timer);
  by("busy").hidden = true;
  isBusy = false;
  document.body.dataset.ready = "true";
  remember();
}

/** The address of the page with the whole state, or null if the input is too long for that. */
async function address() {
  const bytes = input(), hash = bytes.length > 10 * MOST_LINK ? "" : await write(state, state.input === "random" ? encoded("") : bytes);
  return hash && hash.length <= MOST_LINK ? `${location.href.split("#")[0]}#${hash}` : null;
}

let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(async () => history.replaceState(null, "", await address() ?? location.href.split("#")[0]), PATIENCE);
}

/** Takes the state out of the address. */
async function recall() {
  const known = location.hash.length > 1 ? await read(location.hash.slice(1)) : null;
  if (!known) return;
  for (const key of Object.keys(state)) {
    if (typeof known.state[key] === typeof state[key] && Array.isArray(known.state[key]) === Array.isArray(state[key])) state[key] = known.state[key];
  }
  [by("fault-kind").value, by("fault-signal").value] = ["", ""];
  if (state.input === "file") file = known.input; else by("content").value = new TextDecoder().decode(known.input);
}

/** Follows a sequence, and explains its units. */
async function explain(index) {
  if (index === selected) return;
  selected = index;
  events.redraw();
  by("explained").replaceChildren();
  const sequence = run.sequences[index];
  if (!sequence) return;
  events.reveal(index);
  if (state.role === "encoder") return;
  const units = encoded(sequence.items.replace(/[^0-9A-F ]/gi, " "));
  const { html } = await engine.ask("explain", { ...state, input: "units", fault: "" }, units);
  // All text in it is escaped, and scripts in a page like this one don't run.
  if (html && index === selected) by("explained").innerHTML = html;
}

async function download(ask) {
  try {
    const { problem, name, bytes } = await engine.ask(ask, state, input());
    if (problem) return complain(problem);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (error) {
    complain({ about: "run", text: error.message });
  }
}

async function take(dropped) {
  if (!dropped) return;
  if (dropped.size > MOST_FILE) return complain({ about: "input", text: `The file has ${dropped.size} bytes: at most ${MOST_FILE} are taken here, and the command takes any` });
  file = new Uint8Array(await dropped.arrayBuffer());
  by("input").value = "file";
  readState();
  refresh();
}

/** Suggests signals whose names have what is typed. */
async function suggest() {
  const core = JSON.stringify([state.system, state.role, ...CHOICES.map(id => state[id])]);
  if (signalsOf !== core) {
    const answer = await engine.ask("signals", { ...state, input: "random", fault: "" }, encoded(""));
    [signals, signalsOf] = [answer.signals || [], core];
  }
  const typed = by("fault-signal").value.trim();
  const found = signals.filter(([path]) => path.includes(typed)).slice(0, MOST_SUGGESTED);
  by("signals").replaceChildren(...found.map(([path, bits]) => new Option(bits === 1 ? "1 bit" : `${bits} bits`, path)));
}

async function start() {
  code = listing(by("verilog"), rows => run && shown.mark(row => rows.includes(row)));
  shown = await picture(by("picture"), {
    told: view => {
      code.moveTo(view.cursor);
      explain(view.selected);
    },
    pointed: row => code.mark(row),
  });
  by("content").value = EXAMPLES["accents, kanji, an emoji"][1];
  by("example").append(...Object.keys(EXAMPLES).map(name => new Option(name)));
  await recall();
  showState();
  by("controls").addEventListener("submit", event => event.preventDefault());
  by("controls").addEventListener("input", event => {
    if (["example", "file"].includes(event.target.id)) return;
    readState();
    refresh();
  });
  by("example").onchange = () => {
    const [kind, content] = EXAMPLES[by("example").value] || [];
    by("example").value = "";
    if (!kind) return;
    by("content").value = content;
    by("input").value = kind;
    readState();
    refresh();
  };
  by("file").onchange = () => take(by("file").files[0]);
  for (const kind of ["dragover", "dragleave", "drop"]) {
    by("drop").addEventListener(kind, event => {
      event.preventDefault();
      by("drop").classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files[0]);
    });
  }
  by("fault-signal").addEventListener("focus", suggest);
  by("fault-signal").addEventListener("input", suggest);
  by("events").addEventListener("click", event => {
    const line = event.target.closest(".line");
    if (line) shown.select(Number(line.dataset.index));
  });
  by("events").addEventListener("keydown", event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !run) return;
    event.preventDefault();
    shown.select(Math.min(run.sequences.length - 1, Math.max(0, selected + step)));
  });
  for (const button of document.querySelectorAll("[data-file]")) button.onclick = () => download(button.dataset.file);
  by("link").onclick = async () => {
    const link = await address();
    by("note").textContent = link ? "" : "The input is too long for a link.";
    if (!link) return;
    history.replaceState(null, "", link);
    await navigator.clipboard?.writeText(link).catch(() => {});
    by("note").textContent = "The link is in the address bar, and copied.";
  };
  by("stop").onclick = () => engine.restart();
  addEventListener("hashchange", async () => {
    await recall();
    refresh();
  });
  await refresh();
}

start().catch(error => {
  complain({ about: "run", text: `The playground can't start: ${error.message}. It needs a browser with WebAssembly and modules, and a web server.` });
  throw error;
});
