// The page of a graph, a certificate or a result: tables and bars, and a picture of the graph if there is one.

import { h, svg } from "./dom";
import { Arrow, Net, NetData, Plan, plan, unpack } from "./net";

interface Bar { name: string; value: number; of?: number; text: string }
interface Section { title: string; note?: string; rows?: [string, string][]; bars?: Bar[]; lines?: string[] }
interface Sheet { title: string; kind: string; headline: string; verdict?: string; notes: string[]; sections: Section[]; graph?: NetData }

const sheet: Sheet = JSON.parse(document.getElementById("sheet")!.textContent!);
const most = { all: 300, near: 50, labels: 60 };

function button(text: string, title: string, key: string, act: () => void): HTMLButtonElement {
  const b = h("button", { type: "button", title: key ? `${title} (${key})` : title, "aria-label": title }, text);
  b.addEventListener("click", act);
  return b;
}

let panels = 0;
function panel(title: string, ...children: Node[]): HTMLElement {
  const id = `panel${panels++}`;
  return h("section", { class: "panel", "aria-labelledby": id }, h("h2", { id }, title), ...children);
}

function bars(list: Bar[]): HTMLElement {
  const largest = list.reduce((m, b) => Math.max(m, b.value), 1);
  return h("table", { class: "bars" }, h("tbody", {}, ...list.slice(0, 200).map((b) => {
    const share = Math.min(100, (100 * b.value) / (b.of || largest));
    const bar = svg("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "ground", width: 100, height: 8 }), svg("rect", { width: share, height: 8 }));
    return h("tr", {}, h("th", { scope: "row" }, b.name), h("td", { class: "drawn" }, bar), h("td", {}, b.text));
  })));
}

function section(s: Section): HTMLElement {
  const list: Node[] = [];
  if (s.note) list.push(h("p", { class: "note" }, s.note));
  if (s.rows?.length) list.push(h("table", {}, h("tbody", {}, ...s.rows.map(([n, v]) => h("tr", {}, h("th", { scope: "row" }, n), h("td", {}, h("code", {}, v)))))));
  if (s.bars?.length) list.push(bars(s.bars));
  if (s.lines?.length) list.push(h("ul", {}, ...s.lines.map((l) => h("li", {}, l))));
  return panel(s.title, ...list);
}

const theme = button("Light/dark", "Change between light and dark", "t", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
const keys: Record<string, () => void> = { t: () => theme.click() };

const header = h("header", {}, h("h1", {}, h("span", { class: `kind ${sheet.verdict ?? "plain"}` }, sheet.verdict ?? sheet.kind), " ", sheet.headline), h("p", { class: "sub" }, sheet.title));
for (const n of sheet.notes) header.append(h("p", { class: "sub" }, n));

type Mode = "whole" | "near" | "quotient";

// A Browser goes from state to state of a graph.
class Browser {
  private readonly net: Net;
  private readonly quotient?: Net;
  private readonly classes?: Int32Array;
  private mode: Mode;
  private state: number;
  private chosen = 0; // of the transitions of the state
  private readonly past: number[] = [];
  private plans = new Map<string, Plan>(); // of what is drawn as a whole
  private asked = false;
  private lit = -1; // a label
  private readonly scroller = h("div", { class: "scroller net", id: "net", tabindex: 0, role: "group", "aria-label": "Graph" });
  private readonly slider = h("input", { type: "range", min: 0, step: 1, id: "slider", "aria-label": "State" });
  private readonly go0 = h("input", { type: "number", min: 0, id: "number", "aria-label": "Go to the state of this number" });
  private readonly label = h("output", { class: "label", for: "slider" });
  private readonly live = h("div", { class: "sr", "aria-live": "polite" });
  private readonly about = panel("State");
  private readonly outs = panel("Transitions");
  private readonly ins = panel("Comes from");
  private readonly way = panel("A shortest way to it");
  private readonly modes = new Map<Mode, HTMLButtonElement>();

  constructor(data: NetData) {
    this.net = new Net(data);
    if (data.quotient && data.classes) {
      this.quotient = new Net(data.quotient);
      this.classes = unpack(data.classes);
    }
    this.state = data.initial;
    this.mode = this.net.n <= most.all ? "whole" : this.quotient && this.quotient.n <= most.all ? "quotient" : "near";
    const offer = (mode: Mode, text: string, title: string) => this.modes.set(mode, button(text, title, "m", () => this.use(mode)));
    if (this.net.n <= most.all) offer("whole", "All states", "Draw all states");
    offer("near", "Neighbourhood", "Draw what is around the state");
    if (this.quotient) offer("quotient", `Quotient (${this.quotient.n})`, "Draw classes of equivalent states");
    this.slider.max = String(Math.max(0, this.net.n - 1));
    this.slider.addEventListener("input", () => this.to(Number(this.slider.value)));
    this.go0.addEventListener("change", () => { const s = this.net.place(this.go0.valueAsNumber); if (s >= 0) this.to(s); });
    const deadlock = button("deadlock ▷", "Next deadlock", "d", () => this.seek(this.net.dead));
    deadlock.disabled = this.net.dead.length === 0;
    const controls = h("div", { class: "controls", role: "toolbar", "aria-label": "States" },
      button("|◀", "Initial state", "Home", () => this.to(data.initial)), button("◀", "Back to where one came from", "left", () => this.back()),
      this.slider, button("▶", "Follow the chosen transition", "right", () => this.follow()), this.label, this.go0, deadlock, ...this.modes.values(), theme);
    const side = h("div", { class: "panels" }, this.about, this.outs, this.way, this.ins, ...sheet.sections.map(section), this.levels(), this.labels());
    document.body.prepend(header, controls, h("main", {}, h("div", { class: "picture" }, this.scroller), side),
      h("footer", {}, "Keys: up and down choose a transition, right follows it, left goes back, j and k are the next state and the one before by number, d the next deadlock, m changes what is drawn, t is light or dark."), this.live);
    Object.assign(keys, {
      ArrowRight: () => this.follow(), Enter: () => this.follow(), ArrowLeft: () => this.back(), ArrowDown: () => this.choose(1), ArrowUp: () => this.choose(-1),
      j: () => this.to(this.state + 1), k: () => this.to(this.state - 1), Home: () => this.to(data.initial), End: () => this.to(this.net.n - 1), d: () => deadlock.click(),
      m: () => { const list = [...this.modes.keys()]; this.use(list[(list.indexOf(this.mode) + 1) % list.length]); },
    });
    this.scroller.addEventListener("click", (e) => {
      const at = (e.target as Element).closest("[data-state]") as SVGElement | null;
      if (at) this.pick(Number(at.dataset.state));
    });
    this.use(this.mode);
    this.scroller.focus();
  }

  // pick goes to what was clicked at: of a class, to its first state.
  private pick(n: number) {
    if (this.mode !== "quotient") return this.to(n);
    const s = this.classes!.indexOf(n);
    if (s >= 0) this.to(s);
  }

  private use(mode: Mode) {
    this.mode = mode;
    for (const [m, b] of this.modes) b.setAttribute("aria-pressed", String(m === mode));
    this.ask();
  }

  to(s: number, remember = true) {
    s = Math.max(0, Math.min(this.net.n - 1, s));
    if (remember && s !== this.state) this.past.push(this.state);
    if (this.past.length > 1000) this.past.shift();
    if (s !== this.state) this.chosen = 0;
    this.state = s;
    this.ask();
  }

  private back() { const s = this.past.pop(); if (s !== undefined) this.to(s, false); }
  private choose(by: number) {
    const n = this.net.out(this.state).length;
    if (n > 0) this.chosen = (this.chosen + by + n) % n;
    this.ask();
  }
  private follow() { const list = this.net.out(this.state); if (list.length > 0) this.to(this.net.to(list[this.chosen])); }
  private seek(list: number[]) { const next = list.find((s) => s > this.state) ?? list[0]; if (next !== undefined) this.to(next); }

  // ask has all drawn once a frame, however fast one slides.
  private ask() {
    this.slider.value = String(this.state);
    this.label.textContent = `state ${this.net.name(this.state)} of ${this.net.n}`;
    this.slider.setAttribute("aria-valuetext", this.label.textContent);
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.show(); });
  }

  private show() {
    const { net, state } = this;
    const out = [...net.out(state)], ins = [...net.in(state)];
    const facts: [string, string][] = [["number", String(net.name(state))], ["steps from the initial state", net.depth[state] < 0 ? "it cannot be reached" : String(net.depth[state])], ["transitions", `${out.length} to others, ${ins.length} from others`]];
    if (this.classes) facts.push(["class of the quotient", String(this.classes[state])]);
    const dead = out.length === 0 && state < net.data.whole;
    fill(this.about, ...(dead ? [h("p", { class: "stale" }, "Nothing leads on from here: a deadlock, or the end.")] : []),
      ...(state >= net.data.whole ? [h("p", { class: "note" }, "Not all of its transitions are on this page.")] : []),
      h("table", {}, h("tbody", {}, ...facts.map(([n, v]) => h("tr", {}, h("th", { scope: "row" }, n), h("td", {}, v))))));
    const row = (e: number, end: number, cls = "") => {
      const b = h("button", { type: "button", class: `step ${cls}`, "aria-label": `${net.label(e)}, state ${net.name(end)}` }, h("code", {}, net.label(e)), ` ${end === net.to(e) ? "→" : "←"} ${net.name(end)}`);
      b.addEventListener("click", () => this.to(end));
      return h("li", {}, b);
    };
    const first = Math.max(0, Math.min(this.chosen - 15, out.length - 30));
    fill(this.outs, ...(out.length === 0 ? [h("p", { class: "note" }, "none")] : [h("ul", { class: "steps" }, ...out.slice(first, first + 30).map((e, i) => row(e, net.to(e), first + i === this.chosen ? "chosen" : ""))), more(out.length - 30)]));
    fill(this.ins, ...(ins.length === 0 ? [h("p", { class: "note" }, "nowhere")] : [h("ul", { class: "steps" }, ...ins.slice(0, 12).map((e) => row(e, net.from(e)))), more(ins.length - 12)]));
    const way = net.way(state);
    fill(this.way, h("p", { class: "note" }, way.length === 0 ? "It is the initial one, or cannot be reached." : `${way.length} steps`),
      ...(way.length > 12 ? [h("p", { class: "note" }, `the last 12 of them:`)] : []), h("ol", { class: "steps", start: Math.max(1, way.length - 11) }, ...way.slice(-12).map((e) => row(e, net.to(e)))));
    this.live.textContent = `state ${net.name(state)}, ${out.length} transitions${dead ? ", a deadlock" : ""}`;
    this.draw();
  }

  // draw draws the picture.
  private draw() {
    const net = this.mode === "quotient" ? this.quotient! : this.net;
    const at = this.mode === "quotient" ? this.classes![this.state] : this.state;
    const whole = net.n <= most.all && this.mode !== "near";
    const p = whole ? this.planned(this.mode, net) : plan(net, net.near(at, most.near));
    const chosen = this.mode === "quotient" ? -1 : this.net.out(this.state)[this.chosen] ?? -1;
    const g = svg("svg", { class: "drawn", width: p.width, height: p.height, viewBox: `0 0 ${p.width} ${p.height}`, role: "img", "aria-label": "the graph; the lists beside it say the same" },
      svg("defs", {}, ...["", "strong"].map((c) => svg("marker", { id: `tip${c}`, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", class: `head ${c}` })))));
    const names = p.arrows.length <= most.labels;
    for (const a of p.arrows) g.append(this.arrow(net, p, a, a.from === at, a.edges.includes(chosen), names));
    for (const [s, { x, y }] of p.spots) {
      const dead = net.out(s).length === 0 && s < net.data.whole;
      const hidden = !whole && (net.out(s).some((e) => !p.spots.has(net.to(e))) || net.in(s).some((e) => !p.spots.has(net.from(e))));
      const text = String(net.name(s)), r = Math.max(15, 5 + 4 * text.length);
      g.append(svg("g", { class: `state${s === at ? " here" : ""}${dead ? " dead" : ""}${hidden ? " more" : ""}${s === net.data.initial ? " first" : ""}`, "data-state": s },
        svg("rect", { x: x - r, y: y - 14, width: 2 * r, height: 28, rx: 14 }), svg("text", { x, y: y + 4, "text-anchor": "middle" }, text),
        svg("title", {}, `state ${text}${dead ? ", nothing leads on" : ""}${hidden ? ", with neighbours that are not drawn" : ""}`)));
    }
    this.scroller.replaceChildren(g);
    const spot = p.spots.get(at);
    if (spot) this.scroller.scrollTo(Math.max(0, spot.x - this.size.width / 2), Math.max(0, spot.y - this.size.height / 2));
  }

  // size is how much of the picture can be seen. To ask for it each time would take a layout.
  private measured?: { width: number; height: number };
  private get size() {
    if (!this.measured) {
      this.measured = { width: this.scroller.clientWidth, height: this.scroller.clientHeight };
      addEventListener("resize", () => { this.measured = undefined; }, { once: true });
    }
    return this.measured;
  }

  private planned(mode: Mode, net: Net): Plan {
    let p = this.plans.get(mode);
    if (!p) this.plans.set(mode, p = plan(net, net.all()));
    return p;
  }

  private arrow(net: Net, p: Plan, a: Arrow, near: boolean, strong: boolean, names: boolean): SVGElement {
    const s = p.spots.get(a.from)!, t = p.spots.get(a.to)!, c = strong ? "strong" : "";
    const half = (n: number) => Math.max(15, 5 + 4 * String(net.name(n)).length);
    let d: string, x: number, y: number;
    if (a.from === a.to) {
      d = `M${s.x - 6} ${s.y - 14}C${s.x - 18} ${s.y - 40} ${s.x + 18} ${s.y - 40} ${s.x + 6} ${s.y - 14}`;
      [x, y] = [s.x, s.y - 36];
    } else if (t.x > s.x) {
      const from = s.x + half(a.from), to = t.x - half(a.to), mid = (from + to) / 2;
      d = `M${from} ${s.y}C${mid} ${s.y} ${mid} ${t.y} ${to} ${t.y}`;
      [x, y] = [mid, (s.y + t.y) / 2 - 4];
    } else if (t.x === s.x) {
      const from = s.x + half(a.from), to = t.x + half(a.to), out = Math.max(from, to) + 26;
      d = `M${from} ${s.y}C${out} ${s.y} ${out} ${t.y} ${to} ${t.y}`;
      [x, y] = [out - 6, (s.y + t.y) / 2 + (s.y < t.y ? -3 : 9)];
    } else {
      const bend = 30 + Math.min(60, (s.x - t.x) / 8), low = Math.max(s.y, t.y) + bend;
      d = `M${s.x} ${s.y + 14}C${s.x} ${low} ${t.x} ${low} ${t.x} ${t.y + 14}`;
      [x, y] = [(s.x + t.x) / 2, (Math.min(s.y, t.y) + 3 * low) / 4];
    }
    const lit = this.lit >= 0 && a.edges.some((e) => net.edges[3 * e + 1] === this.lit && net.data.labels === this.net.data.labels || net.label(e) === this.net.data.labels[this.lit]);
    const all = a.edges.map((e) => net.label(e));
    const g = svg("g", { class: `arrow ${c}${lit ? " lit" : ""}` }, svg("path", { d, "marker-end": `url(#tip${c})` }), svg("title", {}, all.slice(0, 20).join("\n")));
    if (names || near || strong || lit) {
      const text = strong || all.length === 1 ? all[0] : `${all[0]} +${all.length - 1}`;
      g.append(svg("text", { x, y, "text-anchor": "middle" }, text.length > 22 ? `${text.slice(0, 21)}…` : text));
    }
    return g;
  }

  // levels draws how many states are how far from the initial one.
  private levels(): HTMLElement {
    const list = this.net.levels, step = Math.max(1, Math.ceil(list.length / 200)), sums: number[] = [];
    list.forEach((n, d) => { const i = Math.floor(d / step); sums[i] = (sums[i] ?? 0) + n; });
    const largest = Math.max(1, ...sums), width = sums.length;
    const widest = list.reduce((m, n) => Math.max(m, n), 0); // there may be more levels than a function takes arguments
    const g = svg("svg", { class: "levels", viewBox: `0 0 ${width} 60`, preserveAspectRatio: "none", role: "img", "aria-label": `states by distance: ${list.length} levels, at most ${widest} states in one` });
    sums.forEach((n, i) => g.append(svg("rect", { x: i, y: 60 - (60 * n) / largest, width: 0.9, height: (60 * n) / largest })));
    return panel("States by distance", g, h("p", { class: "note" }, `${list.length} levels from the initial state, at most ${widest} states in one`));
  }

  private labels(): HTMLElement {
    const order = Array.from(this.net.uses.keys()).filter((l) => this.net.uses[l] > 0).sort((a, b) => this.net.uses[b] - this.net.uses[a] || a - b);
    const list = h("ul", { class: "steps" }, ...order.slice(0, 40).map((l) => {
      const b = h("button", { type: "button", class: "step", "aria-pressed": "false", "aria-label": `mark ${this.net.data.labels[l]}` }, h("code", {}, this.net.data.labels[l]), ` ${this.net.uses[l]}`);
      b.addEventListener("click", () => {
        this.lit = this.lit === l ? -1 : l;
        for (const x of list.querySelectorAll("button")) x.setAttribute("aria-pressed", "false");
        b.setAttribute("aria-pressed", String(this.lit === l));
        this.draw();
      });
      return h("li", {}, b);
    }));
    return panel("Labels", list, more(order.length - 40));
  }
}

function more(n: number): Node { return n > 0 ? h("p", { class: "note" }, `and ${n} more`) : document.createTextNode(""); }

function fill(p: HTMLElement, ...children: Node[]) { p.replaceChildren(p.firstElementChild!, ...children); }

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key] || e.target instanceof HTMLInputElement && e.target.type === "number") return;
  if (e.target instanceof HTMLButtonElement && e.key === "Enter") return;
  if (e.target instanceof HTMLInputElement && e.key.startsWith("Arrow")) return; // the slider moves
  e.preventDefault();
  keys[e.key]();
});

if (sheet.graph) {
  new Browser(sheet.graph);
} else {
  document.body.classList.add("sheet");
  document.body.prepend(header, h("div", { class: "controls" }, theme), h("main", { class: "sections" }, ...sheet.sections.map(section)), h("footer", {}, "Keys: t is light or dark."));
}
