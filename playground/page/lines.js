// A list of very many lines, of which those are in the document that are visible.

/** Lines in `box`, each of `height` pixels; `line(index)` makes the element of one. */
export class Lines {
  #box;
  #sheet = document.createElement("div");
  #height;
  #line;
  #count = 0;
  #asked = false;

  constructor(box, height, line) {
    [this.#box, this.#height, this.#line] = [box, height, line];
    this.#sheet.className = "sheet";
    box.append(this.#sheet);
    box.addEventListener("scroll", () => this.redraw(), { passive: true });
    new ResizeObserver(() => this.redraw()).observe(box);
  }

  /** Shows these many lines. */
  show(count) {
    this.#count = count;
    this.#sheet.style.height = `${count * this.#height}px`;
    this.redraw();
  }

  /** Makes the visible lines anew. */
  redraw() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      const first = Math.max(0, Math.floor(this.#box.scrollTop / this.#height) - 2);
      const end = Math.min(this.#count, first + Math.ceil(this.#box.clientHeight / this.#height) + 5);
      const lines = [];
      for (let index = first; index < end; index++) {
        const line = this.#line(index);
        line.style.top = `${index * this.#height}px`;
        line.dataset.index = index;
        lines.push(line);
      }
      this.#sheet.replaceChildren(...lines);
    });
  }

  /** Scrolls until a line is visible. */
  reveal(index) {
    const top = index * this.#height, room = this.#box.clientHeight;
    if (top < this.#box.scrollTop || top + this.#height > this.#box.scrollTop + room) {
      this.#box.scrollTop = top - room / 2;
    }
  }
}
