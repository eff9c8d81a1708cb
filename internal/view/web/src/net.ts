// A graph, and where its states are drawn.

// NetData is a graph as the page has it: internal/view/graph.go.
export interface NetData { states: number; initial: number; labels: string[]; edges: string; numbers?: string; whole: number; quotient?: NetData; how?: string; classes?: string }

// unpack reads packed numbers.
export function unpack(text: string): Int32Array {
  const s = atob(text);
  const b = new Uint8Array(s.length);
  for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i);
  return new Int32Array(b.buffer);
}

// A Net has the transitions of each state side by side, in both directions. A transition is its place in the list.
export class Net {
  readonly n: number;
  readonly m: number;
  readonly edges: Int32Array;
  readonly depth: Int32Array; // steps from the initial state, -1 if there is no way
  readonly levels: number[] = []; // states by depth
  readonly dead: number[] = [];
  readonly uses: Int32Array; // by label
  private readonly outs: Lists;
  private readonly ins: Lists;
  private readonly by: Int32Array; // the transition by which a state is reached first
  private readonly numbers?: Int32Array;

  constructor(readonly data: NetData) {
    this.n = data.states;
    this.edges = unpack(data.edges);
    this.m = this.edges.length / 3;
    if (data.numbers) this.numbers = unpack(data.numbers);
    this.outs = new Lists(this.n, this.edges, 0);
    this.ins = new Lists(this.n, this.edges, 2);
    this.uses = new Int32Array(data.labels.length);
    for (let e = 0; e < this.m; e++) this.uses[this.edges[3 * e + 1]]++;
    this.depth = new Int32Array(this.n).fill(-1);
    this.by = new Int32Array(this.n).fill(-1);
    const queue = new Int32Array(this.n);
    let end = 0;
    if (this.n > 0) { queue[end++] = data.initial; this.depth[data.initial] = 0; }
    for (let i = 0; i < end; i++) {
      const s = queue[i], d = this.depth[s];
      this.levels[d] = (this.levels[d] ?? 0) + 1;
      for (const e of this.out(s)) {
        const t = this.to(e);
        if (this.depth[t] < 0) { this.depth[t] = d + 1; this.by[t] = e; queue[end++] = t; }
      }
    }
    for (let s = 0; s < Math.min(this.n, data.whole); s++) if (this.out(s).length === 0) this.dead.push(s);
  }

  from(e: number): number { return this.edges[3 * e]; }
  to(e: number): number { return this.edges[3 * e + 2]; }
  label(e: number): string { return this.data.labels[this.edges[3 * e + 1]]; }
  out(s: number): Int32Array { return this.outs.of(s); }
  in(s: number): Int32Array { return this.ins.of(s); }
  name(s: number): number { return this.numbers ? this.numbers[s] : s; }
  // place returns the state that is called so, or -1.
  place(name: number): number {
    if (!Number.isInteger(name) || name < 0) return -1;
    return this.numbers ? this.numbers.indexOf(name) : name < this.n ? name : -1;
  }

  // way returns the transitions of a shortest way to a state.
  way(s: number): number[] {
    const list: number[] = [];
    for (let e = this.by[s]; e >= 0; e = this.by[this.from(e)]) list.push(e);
    return list.reverse();
  }

  // near returns the states around one, at most so many, each with its layer: what it leads to has positive ones.
  near(centre: number, most: number): Map<number, number> {
    const layer = new Map([[centre, 0]]);
    let ahead = [centre], behind = [centre];
    for (let d = 1; (ahead.length > 0 || behind.length > 0) && layer.size < most; d++) {
      const grow = (list: number[], next: (s: number) => Iterable<number>, sign: number, room: number): number[] => {
        const found: number[] = [];
        for (const s of list) for (const t of next(s)) {
          if (layer.has(t) || layer.size >= room) continue;
          layer.set(t, sign * d);
          found.push(t);
        }
        return found;
      };
      const self = this;
      ahead = grow(ahead, function* (s) { for (const e of self.out(s)) yield self.to(e); }, 1, d === 1 ? (most * 2) / 3 : most);
      behind = grow(behind, function* (s) { for (const e of self.in(s)) yield self.from(e); }, -1, most);
    }
    return layer;
  }

  // all returns all states with their depths. Those that cannot be reached come last.
  all(): Map<number, number> {
    const last = this.levels.length;
    return new Map(Array.from({ length: this.n }, (_, s) => [s, this.depth[s] < 0 ? last : this.depth[s]]));
  }
}

// Lists are transitions by one of their ends.
class Lists {
  private readonly start: Int32Array;
  private readonly list: Int32Array;
  constructor(n: number, edges: Int32Array, end: number) {
    this.start = new Int32Array(n + 1);
    for (let i = end; i < edges.length; i += 3) this.start[edges[i] + 1]++;
    for (let s = 0; s < n; s++) this.start[s + 1] += this.start[s];
    this.list = new Int32Array(edges.length / 3);
    const next = this.start.slice();
    for (let i = end; i < edges.length; i += 3) this.list[next[edges[i]]++] = (i - end) / 3;
  }
  of(s: number): Int32Array { return this.list.subarray(this.start[s], this.start[s + 1]); }
}

export interface Spot { x: number; y: number }
export interface Arrow { from: number; to: number; edges: number[] }
export interface Plan { spots: Map<number, Spot>; arrows: Arrow[]; width: number; height: number }

const edge = 40;

// plan places states in columns by their layers, such that neighbours are side by side, and takes transitions between the same two as one.
export function plan(net: Net, layers: Map<number, number>): Plan {
  const least = Math.min(...layers.values());
  const columns: number[][] = [];
  for (const [s, l] of layers) (columns[l - least] ??= []).push(s);
  const arrows = new Map<string, Arrow>();
  const beside = new Map<number, number[]>([...layers.keys()].map((s) => [s, []]));
  for (const s of layers.keys()) {
    for (const e of net.out(s)) {
      const t = net.to(e);
      if (!layers.has(t)) continue;
      const key = `${s} ${t}`, a = arrows.get(key);
      if (a) { a.edges.push(e); continue; }
      arrows.set(key, { from: s, to: t, edges: [e] });
      if (s !== t) { beside.get(s)!.push(t); beside.get(t)!.push(s); }
    }
  }
  const at = new Map<number, number>();
  const number = (column: number[]) => column.forEach((s, i) => at.set(s, i - (column.length - 1) / 2));
  const full = columns.filter((c) => c !== undefined);
  full.forEach(number);
  for (let round = 0; round < 6; round++) {
    for (const column of round % 2 === 0 ? full : [...full].reverse()) {
      const pull = new Map(column.map((s) => {
        const list = beside.get(s)!;
        return [s, list.length === 0 ? at.get(s)! : list.reduce((sum, t) => sum + at.get(t)!, 0) / list.length];
      }));
      column.sort((a, b) => pull.get(a)! - pull.get(b)! || a - b);
      number(column);
    }
  }
  let longest = 0;
  for (const a of arrows.values()) longest = Math.max(longest, net.label(a.edges[0]).length);
  const dx = 70 + 6.6 * Math.min(24, Math.max(9, longest)); // names of transitions stand between columns
  const tallest = Math.max(1, ...full.map((c) => c.length)), dy = tallest > 9 ? 46 : 72; // where there is room, loops have it
  const height = tallest * dy + 2 * edge, width = (full.length - 1) * dx + 2 * edge + 60;
  const spots = new Map<number, Spot>();
  full.forEach((column, i) => column.forEach((s) => spots.set(s, { x: edge + 20 + i * dx, y: height / 2 + at.get(s)! * dy })));
  return { spots, arrows: [...arrows.values()], width, height };
}
