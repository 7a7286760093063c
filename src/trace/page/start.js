// The page of one run, which holds the run.

import { bytesOf, parse } from "./draw.js";
import { viewer } from "./viewer.js";

/** Reads the run of the page. */
async function read() {
  const packed = new Blob([bytesOf(document.getElementById("run").textContent)]).stream();
  return parse(await new Response(packed.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
}

async function start() {
  const run = await read(), { show, moveTo } = viewer(document);
  show(run);
  const wanted = /^#cycle=(\d+)$/.exec(location.hash);
  if (wanted) moveTo(Number(wanted[1]) - run.first);
  document.body.dataset.ready = "true";
}

start().catch(error => {
  document.getElementById("status").textContent = `The run in this page can't be shown: ${error.message}`;
  throw error;
});
