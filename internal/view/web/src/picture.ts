// The picture: one line a step, with the lanes of goroutines and peers to the left. Only what can be seen is there, so that long traces
// are as fast as short ones.

import { h, svg } from "./dom";
import { Row, rowOf, stepAt, Step, Story } from "./story";

export const rowHeight = 26;
const spare = 6; // rows above and below what can be seen

export class Picture {
  readonly element: HTMLElement;
  rows: Row[] = [];
  selected = 0;
  edges = true;

  private readonly head: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly canvas: HTMLElement;
  private readonly drawing: SVGElement;
  private readonly lines: HTMLElement;
  private readonly laneWidth: number;
  private readonly first: number[];
  private readonly last: number[];
  private readonly later: number[][];
  private drawn = "";
  private top = 0; // how far it is scrolled, and how much can be seen: to ask the page takes a layout
  private height = 600;

  constructor(private story: Story, private choose: (row: number) => void) {
    const n = story.lanes.length;
    this.laneWidth = n <= 3 ? 116 : n <= 5 ? 100 : n <= 8 ? 76 : n <= 16 ? 40 : 24;
    this.first = story.lanes.map(() => Infinity);
    this.last = story.lanes.map(() => -Infinity);
    this.later = story.steps.map(() => []);
    const touch = (lane: number, i: number) => {
      this.first[lane] = Math.min(this.first[lane], i);
      this.last[lane] = Math.max(this.last[lane], i);
    };
    touch(stepAt(story, story.steps.length).lane, story.steps.length);
    for (let i = -story.before.length; i < story.steps.length; i++) {
      const s = stepAt(story, i);
      touch(s.lane, i);
      for (const l of s.meets ?? []) touch(l, i);
      for (const m of s.sent ?? []) { touch(m.from, i); touch(m.to, i); }
      for (const a of s.after ?? []) this.later[a].push(i);
    }
    for (const w of story.waiting) this.last[w.lane] = Infinity; // it is there to the end
    for (const w of story.waiting) this.first[w.lane] = Math.min(this.first[w.lane], 0);
    if (story.lanes.length > 0) this.first[0] = -Infinity;

    this.head = h("div", { class: this.laneWidth < 60 ? "lanes narrow" : "lanes", "aria-hidden": "true" });
    this.head.style.width = `${this.width()}px`;
    story.lanes.forEach((l, i) => {
      const text = this.laneWidth < 60 && l.name.length > 17 ? "…" + l.name.slice(-16) : l.name; // names differ at their ends
      const name = h("span", { class: `lane lane${i % 8}${l.outside ? " outside" : ""}`, title: l.full }, text);
      name.style.left = `${this.x(i) - this.laneWidth / 2}px`;
      name.style.width = `${this.laneWidth - 6}px`;
      this.head.append(name);
    });
    const least = this.width() + 300;
    this.drawing = svg("svg", { class: "drawing", "aria-hidden": "true" });
    this.lines = h("div", {});
    this.canvas = h("div", { class: "canvas" }, this.lines);
    this.canvas.append(this.drawing);
    this.canvas.style.minWidth = `max(100%, ${least}px)`;
    this.scroller = h("div", { class: "scroller", role: "listbox", tabindex: 0, "aria-label": "Steps", id: "steps" }, this.canvas);
    this.element = h("section", { class: "picture", "aria-label": "Goroutines and peers over time" }, this.head, this.scroller);
    this.scroller.addEventListener("scroll", () => { this.top = this.scroller.scrollTop; this.head.style.transform = `translateX(${-this.scroller.scrollLeft}px)`; this.draw(); });
    this.lines.addEventListener("click", (e) => {
      const line = (e.target as Element).closest("[data-row]");
      if (line) this.choose(Number(line.getAttribute("data-row")));
    });
    new ResizeObserver(() => { this.height = this.scroller.clientHeight; this.draw(); }).observe(this.scroller);
  }

  private width(): number { return 52 + this.story.lanes.length * this.laneWidth; }
  private x(lane: number): number { return 52 + (lane + 0.5) * this.laneWidth; }
  private y(row: number): number { return (row + 0.5) * rowHeight; }

  setRows(rows: Row[]) {
    this.rows = rows;
    this.canvas.style.height = `${rows.length * rowHeight}px`;
    this.drawn = "";
  }

  select(row: number) {
    this.selected = row;
    const top = row * rowHeight;
    let to = this.top;
    if (top < this.top + rowHeight) to = Math.max(0, top - rowHeight);
    else if (top + 2 * rowHeight > this.top + this.height) to = Math.max(0, Math.min(top + 2 * rowHeight, this.rows.length * rowHeight) - this.height);
    if (to !== this.top) this.scroller.scrollTop = this.top = to;
    this.scroller.setAttribute("aria-activedescendant", `row${row}`);
    this.drawn = "";
    this.draw();
  }

  focus() { this.scroller.focus({ preventScroll: true }); }

  draw() {
    const from = Math.max(0, Math.floor(this.top / rowHeight) - spare);
    const to = Math.min(this.rows.length, Math.ceil((this.top + this.height) / rowHeight) + spare);
    const key = `${from} ${to} ${this.selected} ${this.edges}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.lines.replaceChildren(...Array.from({ length: Math.max(0, to - from) }, (_, i) => this.line(from + i)));
    this.drawing.setAttribute("width", String(this.width()));
    this.drawing.setAttribute("height", String((to - from) * rowHeight));
    this.drawing.style.top = `${from * rowHeight}px`;
    this.drawing.setAttribute("viewBox", `0 ${from * rowHeight} ${this.width()} ${(to - from) * rowHeight}`);
    this.drawing.replaceChildren(...this.marks(from, to));
  }

  // line is the text of a row.
  private line(row: number): HTMLElement {
    const r = this.rows[row];
    const e = h("div", {
      class: "row" + (row === this.selected ? " selected" : ""), role: "option", id: `row${row}`, "data-row": row,
      "aria-selected": row === this.selected ? "true" : "false", "aria-posinset": row + 1, "aria-setsize": this.rows.length,
    });
    e.style.top = `${row * rowHeight}px`;
    const text = h("span", { class: "text" });
    text.style.left = `${this.width()}px`;
    if (r.from !== r.to) {
      e.classList.add("folded");
      e.setAttribute("aria-label", foldText(this.story, r));
      e.append(h("span", { class: "number" }, `${r.from + 1}`));
      text.append(h("span", { class: "fold" }, foldText(this.story, r)));
      e.append(text);
      return e;
    }
    const s = stepAt(this.story, r.from);
    if (s.weight) e.classList.add(s.weight);
    e.setAttribute("aria-label", sayStep(this.story, r.from));
    e.append(h("span", { class: "number", title: s.switch === "preemption" ? "the one before could have gone on" : "" },
      `${s.switch === "preemption" ? "! " : ""}${r.from < 0 ? "·" : r.from === this.story.steps.length ? "✖" : r.from + 1}`));
    if (r.from === this.story.steps.length) e.classList.add("end");
    text.append(h("span", { class: `who lane${s.lane % 8}` }, this.story.lanes[s.lane].name), h("span", { class: "action", title: s.action }, s.action));
    if (s.file >= 0) text.append(h("span", { class: "place" }, placeText(this.story, s.file, s.line)));
    if (this.story.loop >= 0 && r.from === this.story.loop) text.append(h("span", { class: "note" }, "the loop begins"));
    e.append(text);
    return e;
  }

  // marks draws lanes, steps, and what goes between them.
  private marks(from: number, to: number): SVGElement[] {
    const out: SVGElement[] = [];
    const top = from * rowHeight, bottom = to * rowHeight;
    this.story.lanes.forEach((l, i) => {
      const begin = this.first[i] === -Infinity ? -rowHeight : this.first[i] === Infinity ? 0 : this.y(rowOf(this.rows, this.first[i]));
      const end = this.last[i] === Infinity ? this.rows.length * rowHeight : this.last[i] === -Infinity ? 0 : this.y(rowOf(this.rows, this.last[i]));
      const y1 = Math.max(begin, top), y2 = Math.min(end, bottom);
      if (y1 < y2) out.push(svg("line", { class: `life lane${i % 8}${l.outside ? " outside" : ""}`, x1: this.x(i), x2: this.x(i), y1, y2 }));
    });
    const chosen = this.rows[this.selected];
    if (this.edges) {
      for (let row = from; row < to; row++) {
        const r = this.rows[row];
        if (r.from < 0 || r.from === this.story.steps.length) continue;
        for (let i = r.from; i <= Math.min(r.to, r.from + 50); i++) {
          for (const a of this.story.steps[i].after ?? []) this.edge(out, a, i, false);
        }
      }
    }
    if (chosen && chosen.from >= 0 && chosen.from === chosen.to && chosen.from < this.story.steps.length) {
      for (const a of this.story.steps[chosen.from].after ?? []) this.edge(out, a, chosen.from, true);
      for (const b of this.later[chosen.from]) this.edge(out, chosen.from, b, true);
    }
    for (let row = from; row < to; row++) this.rowMarks(out, row);
    return out;
  }

  // edge draws that a step comes after another.
  private edge(out: SVGElement[], a: number, b: number, strong: boolean) {
    const ra = rowOf(this.rows, a), rb = rowOf(this.rows, b);
    if (ra === rb) return;
    const x1 = this.x(this.story.steps[a].lane), x2 = this.x(this.story.steps[b].lane), y1 = this.y(ra), y2 = this.y(rb);
    const bend = Math.min(40, (y2 - y1) / 2);
    out.push(svg("path", { class: strong ? "edge strong" : "edge", d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` }));
  }

  private rowMarks(out: SVGElement[], row: number) {
    const r = this.rows[row], y = this.y(row);
    if (r.from !== r.to) {
      const lanes = new Set<number>();
      for (let i = r.from; i <= Math.min(r.to, r.from + 200); i++) lanes.add(this.story.steps[i].lane);
      for (const l of lanes) out.push(svg("circle", { class: `dot library lane${l % 8}`, cx: this.x(l), cy: y, r: 2.5 }));
      return;
    }
    if (r.from === this.story.steps.length) return this.endMarks(out, row);
    const s = stepAt(this.story, r.from);
    for (const m of s.sent ?? []) this.arrow(out, m.from, m.to, y, "message", m.text);
    if (!s.sent?.length) {
      for (const l of s.meets ?? []) {
        const inward = /, and .* sends$/.test(s.action);
        this.arrow(out, inward ? l : s.lane, inward ? s.lane : l, y, "meets", "");
      }
    }
    const cls = `dot lane${s.lane % 8} ${s.library ? "library" : ""} ${s.weight}`;
    if (row === this.selected) out.push(svg("circle", { class: "ring", cx: this.x(s.lane), cy: y, r: 10 }));
    out.push(svg("circle", { class: cls, cx: this.x(s.lane), cy: y, r: s.weight === "key" ? 6 : s.library ? 3 : 4.5 }));
  }

  // endMarks draws who is blocked at the end, or who has failed.
  private endMarks(out: SVGElement[], row: number) {
    const y = this.y(row), who = stepAt(this.story, this.story.steps.length).lane;
    const lanes = this.story.waiting.length > 0 ? this.story.waiting.map((w) => w.lane) : [who];
    for (const l of new Set(lanes)) {
      const x = this.x(l);
      out.push(svg("path", { class: `stop${l === who ? " main" : ""}`, d: `M${x - 5} ${y - 5} l10 10 m0 -10 l-10 10` }));
    }
  }

  private arrow(out: SVGElement[], from: number, to: number, y: number, cls: string, text: string) {
    if (from === to) return;
    const right = to > from, x1 = this.x(from), x2 = this.x(to) + (right ? -7 : 7), tip = right ? -6 : 6;
    const g = svg("g", { class: cls });
    if (cls === "message") g.append(svg("circle", { class: `lane${from % 8} dot`, cx: x1, cy: y, r: 3.5 }));
    g.append(svg("line", { x1, x2, y1: y, y2: y }), svg("path", { d: `M${x2} ${y} l${tip} -4 v8 z` }));
    if (text) {
      const room = Math.floor((Math.abs(x2 - x1) - 16) / 6.2);
      if (room > 3) g.append(svg("text", { x: (x1 + x2) / 2, y: y - 4, "text-anchor": "middle" }, text.length > room ? text.slice(0, room - 1) + "…" : text));
      g.append(svg("title", {}, text));
    }
    out.push(g);
  }
}

// foldText says what is folded.
export function foldText(story: Story, r: Row): string {
  const names = new Set<string>();
  for (let i = r.from; i <= Math.min(r.to, r.from + 500); i++) names.add(story.steps[i].package || "the library");
  const list = [...names];
  return `… ${r.to - r.from + 1} steps in ${list.slice(0, 3).join(", ")}${list.length > 3 ? " and others" : ""}`;
}

export function placeText(story: Story, file: number, line: number): string {
  return `${story.files[file].name.split("/").pop()}:${line}`;
}

// sayStep says a step in one sentence, for who cannot see.
export function sayStep(story: Story, i: number): string {
  const s: Step = stepAt(story, i);
  const parts = [i < 0 ? "before the first step" : i === story.steps.length ? "the end" : `step ${i + 1}`, `${story.lanes[s.lane].name}: ${s.action}`];
  if (s.file >= 0) parts.push(placeText(story, s.file, s.line));
  if (s.switch === "preemption") parts.push("preemption");
  if (s.weight === "key") parts.push("matters");
  return parts.join(", ");
}
