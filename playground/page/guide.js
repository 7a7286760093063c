// The live pictures of the guide.

import { Engine } from "./engine.js";
import { picture } from "./picture.js";
import { parse } from "./trace/draw.js";

const engine = new Engine();

/** Makes the picture of a figure, and makes it again whenever a control is moved. */
async function live(figure) {
  const { content, input = "text", lanes = 1, stall = "0,0", fault = "", to, from = "3" } = figure.dataset;
  const state = { system: "utf-8", role: "decoder", lanes: Number(lanes), input, fault, stall: stall.split(",").map(Number) };
  const host = figure.querySelector(".live");
  host.classList.add("compact");
  const shown = await picture(host), controls = [...figure.querySelectorAll("[data-sets]")];
  for (const control of controls) control.value = control.dataset.sets === "content" ? content : state.stall[1];
  let text = content, isNew = true;
  const show = async () => {
    for (const control of controls) {
      if (control.dataset.sets === "content") text = control.value;
      else state.stall = [0, Number(control.value)];
    }
    const output = figure.querySelector("output");
    if (output) output.value = `${state.stall[1]} %`;
    const answer = await engine.ask("run", state, new TextEncoder().encode(text));
    figure.classList.toggle("wrong", Boolean(answer.problem));
    controls.forEach(control => control.setCustomValidity?.(answer.problem ? answer.problem.text : ""));
    if (answer.problem) {
      controls[0]?.reportValidity();
      return;
    }
    shown.show(parse(answer.bytes));
    if (isNew) shown.lead(to, Number(from));
    isNew = false;
  };
  let isBusy = false, isAsked = false;
  figure.addEventListener("input", async () => {
    isAsked = true;
    if (isBusy) return;
    isBusy = true;
    while (isAsked) {
      isAsked = false;
      await show();
    }
    isBusy = false;
  });
  await show();
}

for (const figure of document.querySelectorAll("figure")) await live(figure);
document.body.dataset.ready = "true";
