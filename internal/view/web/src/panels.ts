// What is beside the picture: the step, its source, variables, and who waits for whom.

import { h, svg } from "./dom";
import { placeText } from "./picture";
import { Frame, Past, Place, Row, stepAt, Story, Wait } from "./story";

const context = 9; // lines of source above and below; so few that nothing has to be scrolled, which would take a layout

export class Panels {
  readonly element: HTMLElement;
  private readonly step = panel("Step", "step");
  private readonly source = panel("Source", "source");
  private readonly variables = panel("Variables", "variables");
  private readonly waits = panel("Who waits for whom", "waits");
  private readonly texts: string[][];
  private open = false; // all values are shown
  private waitsShown: Wait[] | undefined;

  constructor(private story: Story, private past: Past) {
    this.texts = story.files.map(() => []);
    this.element = h("div", { class: "panels" }, this.step, this.source, this.variables, this.waits);
    if (story.stacks.length > 0) this.element.append(this.stacks());
  }

  show(row: Row) {
    const i = row.to;
    this.showStep(row);
    const s = stepAt(this.story, i);
    this.showSource(s.file, s.line, s.lane, i);
    this.showVariables(s.lane, i);
    this.showWaits(i);
  }

  private showStep(row: Row) {
    const s = stepAt(this.story, row.to);
    const list: (Node | string)[] = [
      h("p", { class: "what" }, h("span", { class: `who lane${s.lane % 8}`, title: this.story.lanes[s.lane].full }, this.story.lanes[s.lane].name), " ", s.action),
    ];
    if (s.switch) list.push(h("p", { class: "note" }, s.switch === "preemption" ? "Another goroutine moved before, and could have gone on." : "Another goroutine moved before."));
    for (const m of s.sent ?? []) list.push(h("p", {}, `${this.story.lanes[m.from].name} → ${this.story.lanes[m.to].name}: `, h("code", {}, m.text)));
    if (s.why?.length) list.push(h("p", { class: "note" }, "It matters:"), h("ul", {}, ...s.why.slice(0, 6).map((w) => h("li", {}, w))));
    if (s.after?.length) list.push(h("p", { class: "note" }, `It comes after step ${s.after.map((a) => a + 1).join(", ")} of others.`));
    fill(this.step, ...list);
  }

  private lines(file: number): string[] {
    if (this.texts[file].length === 0) this.texts[file] = this.story.files[file].text.split("\n");
    return this.texts[file];
  }

  private showSource(file: number, line: number, lane: number, step: number) {
    if (file < 0) return fill(this.source, h("p", { class: "note" }, "This step has no place in the source."));
    const f = this.story.files[file];
    if (f.text === "") return fill(this.source, h("p", { class: "place" }, `${f.name}:${line}`), h("p", { class: "note" }, "The file could not be read when this page was made."));
    const text = this.lines(file);
    const others = new Map<number, number[]>(); // by line: lanes that stand there
    this.story.lanes.forEach((l, n) => {
      if (l.outside || n === lane) return;
      const w = this.past.waiting(step).find((w) => w.lane === n);
      const at = this.past.lastOf(n, step);
      const place = w ?? (at >= 0 ? this.story.steps[at] : undefined);
      if (place && place.file === file) others.set(place.line, [...(others.get(place.line) ?? []), n]);
    });
    const from = Math.max(1, line - context), to = Math.min(text.length, line + context);
    const code = h("ol", { class: "code", start: from, "aria-label": `${f.name}, lines ${from} to ${to}` });
    for (let n = from; n <= to; n++) {
      const e = h("li", { class: n === line ? "here" : "", "aria-current": n === line ? "true" : undefined }, h("span", { class: "ln" }, String(n)), h("code", {}, text[n - 1] || " "));
      for (const l of others.get(n) ?? []) e.append(h("span", { class: `at lane${l % 8}`, title: this.story.lanes[l].full }, this.story.lanes[l].name));
      code.append(e);
    }
    fill(this.source, h("p", { class: "place" }, `${f.name}:${line}`), code);
  }

  private showVariables(lane: number, step: number) {
    const list: Node[] = [];
    const { now, before, at } = this.past.frame(lane, step);
    if (now && now.vars.length > 0) {
      const when = step === this.story.steps.length || at === step ? "" : at < 0 ? ", at the start" : `, behind step ${at + 1}`;
      list.push(h("h3", {}, h("span", { class: `who lane${lane % 8}` }, this.story.lanes[lane].name), ` in ${now.func}${when}`), this.table(now, before));
    }
    const changed = step < 0 ? [] : stepAt(this.story, step).changed ?? [];
    if (changed.length > 0) list.push(h("h3", {}, "Changed by this step"), table(changed.map(([n, old, v]) => [n, v || "nothing", old])));
    const shared = this.past.names.map((n) => [n, this.past.value(n, step)] as const).filter(([, v]) => v !== undefined && v !== "");
    if (shared.length > 0) {
      const more = h("details", { open: this.open }, h("summary", {}, `What was changed so far (${shared.length})`));
      const show = () => { if (more.children.length < 2) more.append(table(shared.slice(0, 200).map(([n, v]) => [n, v!, undefined]))); };
      if (this.open) show();
      more.addEventListener("toggle", () => { this.open = more.open; if (more.open) show(); });
      list.push(more);
    }
    if (list.length === 0) list.push(h("p", { class: "note" }, "Nothing is known of variables here."));
    fill(this.variables, ...list);
  }

  private table(now: Frame, before?: Frame): HTMLElement {
    const old = new Map(before && before.func === now.func ? before.vars : []);
    return table(now.vars.map(([n, v]) => [n, v, old.has(n) && old.get(n) !== v ? old.get(n) : undefined]));
  }

  private showWaits(step: number) {
    const list = step < 0 ? [] : this.past.waiting(step);
    if (list === this.waitsShown) return;
    this.waitsShown = list;
    if (list.length === 0) return fill(this.waits, h("p", { class: "note" }, "Nobody waits."));
    const told = h("ul", {}, ...list.map((w) => {
      const e = h("li", {}, h("span", { class: `who lane${w.lane % 8}` }, this.story.lanes[w.lane].name), ` waits: ${w.for}`);
      if (w.file >= 0) e.append(" ", h("span", { class: "place" }, placeText(this.story, w.file, w.line)));
      e.append(w.by?.length ? ` — could go on by ${w.by.slice(0, 4).map((l) => this.story.lanes[l].name).join(", ")}${w.by.length > 4 ? ` and ${w.by.length - 4} others` : ""}` : " — nobody can end that");
      return e;
    }));
    const graph = this.graph(list);
    fill(this.waits, ...(graph ? [graph] : []), told);
  }

  // graph draws who waits for whom.
  private graph(list: Wait[]): SVGElement | undefined {
    const nodes = [...new Set(list.flatMap((w) => [w.lane, ...(w.by ?? [])]))].sort((a, b) => a - b);
    if (nodes.length < 2 || nodes.length > 12 || !list.some((w) => w.by?.length)) return undefined;
    const width = 420, height = nodes.length <= 3 ? 150 : 240, cx = width / 2, cy = height / 2;
    const at = new Map(nodes.map((n, i) => {
      const a = (2 * Math.PI * i) / nodes.length - Math.PI / 2;
      return [n, { x: cx + Math.cos(a) * (width / 2 - 80), y: cy + Math.sin(a) * (height / 2 - 22) }];
    }));
    const g = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "who waits for whom; the list below says the same" });
    for (const w of list) {
      for (const by of w.by ?? []) {
        const a = at.get(w.lane)!, b = at.get(by)!;
        const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy) || 1;
        const ux = dx / d, uy = dy / d, px = -uy * 5, py = ux * 5;
        const stop = 4 + Math.min(62 / Math.max(Math.abs(ux), 1e-6), 13 / Math.max(Math.abs(uy), 1e-6)); // to the edge of a node
        const x1 = a.x + ux * stop + px, y1 = a.y + uy * stop + py, x2 = b.x - ux * stop + px, y2 = b.y - uy * stop + py;
        g.append(svg("line", { class: "wait", x1, y1, x2, y2 }),
          svg("path", { class: "tip", d: `M${x2} ${y2} L${x2 - ux * 8 - uy * 4} ${y2 - uy * 8 + ux * 4} L${x2 - ux * 8 + uy * 4} ${y2 - uy * 8 - ux * 4} Z` }));
      }
    }
    for (const n of nodes) {
      const p = at.get(n)!, name = this.story.lanes[n].name, text = name.length > 18 ? "…" + name.slice(-17) : name;
      g.append(svg("rect", { class: `node lane${n % 8}`, x: p.x - 62, y: p.y - 13, width: 124, height: 26, rx: 6 }),
        svg("text", { x: p.x, y: p.y + 4, "text-anchor": "middle" }, text));
    }
    return g;
  }

  private stacks(): HTMLElement {
    const p = panel("Where they came from", "stacks");
    const frames = (list: Place[]) => h("ul", { class: "frames" }, ...list.map((f) => h("li", { class: f.library ? "library" : "" }, h("code", {}, f.func), " ",
      h("span", { class: "place" }, f.file >= 0 ? placeText(this.story, f.file, f.line) : ""))));
    for (const s of this.story.stacks) {
      p.append(h("h3", {}, `${s.actor}: ${s.action}`), frames(s.frames));
      if (s.started.length > 0) p.append(h("p", { class: "note" }, "started at"), frames(s.started));
    }
    return p;
  }
}

function panel(title: string, id: string): HTMLElement {
  return h("section", { class: `panel ${id}`, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title));
}

// fill replaces what is below the title.
function fill(p: HTMLElement, ...children: (Node | string)[]) { p.replaceChildren(p.firstChild!, ...children); }

function table(list: (readonly [string, string, string | undefined])[]): HTMLElement {
  const body = h("tbody", {});
  for (const [name, value, old] of list) {
    const v = h("td", {}, h("code", {}, value));
    if (old !== undefined) v.append(" ", h("span", { class: "old" }, `was ${old || "nothing"}`));
    body.append(h("tr", { class: old !== undefined ? "changed" : "" }, h("th", { scope: "row" }, name), v));
  }
  return h("table", {}, body);
}
