// The story as package view writes it: see story.go there.

export interface Lane { name: string; full: string; outside?: boolean }
export interface Message { from: number; to: number; text: string }
export interface Frame { func: string; vars: [string, string][] }
export interface Wait { lane: number; for: string; file: number; line: number; by?: number[] }
export interface Place { func: string; file: number; line: number; library?: boolean }
export interface Stack { actor: string; action: string; frames: Place[]; started: Place[] }
export interface File { name: string; text: string }

export interface Step {
  lane: number;
  action: string;
  file: number;
  line: number;
  library?: boolean;
  package?: string;
  weight: "key" | "past" | "apart" | "";
  switch?: "switch" | "preemption";
  why?: string[];
  changed?: [string, string, string][];
  sent?: Message[];
  meets?: number[];
  after?: number[];
  frame?: Frame;
  waits?: Wait[];
}

export interface Story {
  title: string;
  kind: string;
  message: string;
  file: number;
  line: number;
  cause: string;
  summary: string;
  stale?: string;
  loop: number;
  lanes: Lane[];
  before: Step[];
  steps: Step[];
  stacks: Stack[];
  waiting: Wait[];
  starts: (Frame | null)[]; // by lane
  ends: (Frame | null)[];
  files: File[];
}

// A Row is a line of the picture: a step, or some of the library that are folded.
export interface Row { from: number; to: number } // steps from..to, to included; before steps are negative

// rowsOf folds runs of two or more steps of the library that do not matter, unless all is to be seen. The first steps that have no words
// are folded, too. The last step is never folded.
export function rowsOf(story: Story, all: boolean): Row[] {
  const rows: Row[] = [];
  for (let i = -story.before.length; i < 0; i++) rows.push({ from: i, to: i });
  const own = story.steps.some((s) => !s.library);
  const folds = (i: number) => !all && own && i < story.steps.length - 1 && story.steps[i].library === true;
  for (let i = 0; i < story.steps.length; ) {
    let j = i;
    while (j < story.steps.length && folds(j)) j++;
    if (j - i >= 2) {
      rows.push({ from: i, to: j - 1 });
      i = j;
    } else {
      rows.push({ from: i, to: i });
      i++;
    }
  }
  rows.push({ from: story.steps.length, to: story.steps.length });
  return rows;
}

export function stepAt(story: Story, i: number): Step {
  if (i === story.steps.length) return theEnd(story);
  return i < 0 ? story.before[story.before.length + i] : story.steps[i];
}

let end: Step | undefined;

// theEnd is what was found, as the last line of the picture. It is in the lane of whom it is about: one that waits there, or who moved last.
function theEnd(story: Story): Step {
  if (end) return end;
  const there = story.waiting.find((w) => w.file === story.file && w.line === story.line) ?? story.waiting[0];
  const lane = there ? there.lane : story.steps.length > 0 ? story.steps[story.steps.length - 1].lane : 0;
  return (end = { lane, action: `${story.kind}: ${story.message}`, file: story.file, line: story.line, weight: "key" });
}

// rowOf is the row that has a step.
export function rowOf(rows: Row[], step: number): number {
  let lo = 0, hi = rows.length - 1;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (rows[mid].to < step) lo = mid + 1; else hi = mid;
  }
  return lo;
}

// A Past tells quickly what is so behind a step, by indices that are made once.
export class Past {
  private waits: number[] = [];            // steps with waits
  private lanes: number[][];               // by lane: its steps
  private changes = new Map<string, { step: number; value: string }[]>();
  readonly names: string[] = [];           // of variables that change

  constructor(private story: Story) {
    this.lanes = story.lanes.map(() => []);
    story.steps.forEach((s, i) => {
      if (s.waits) this.waits.push(i);
      this.lanes[s.lane].push(i);
      for (const [name, , value] of s.changed ?? []) {
        let list = this.changes.get(name);
        if (!list) {
          this.changes.set(name, (list = []));
          this.names.push(name);
        }
        list.push({ step: i, value });
      }
    });
    this.names.sort();
  }

  // waiting tells who waits behind a step.
  waiting(step: number): Wait[] {
    const k = last(this.waits, (s) => s, step);
    if (k >= 0) return this.story.steps[this.waits[k]].waits!;
    return step >= this.story.steps.length - 1 ? this.story.waiting : [];
  }

  // lastOf is the last step of a lane up to a step, -1 if there is none.
  lastOf(lane: number, step: number): number {
    const list = this.lanes[lane];
    const k = last(list, (s) => s, step);
    return k < 0 ? -1 : list[k];
  }

  // frame is the function that a lane is in behind a step, and the one before.
  frame(lane: number, step: number): { now?: Frame; before?: Frame; at: number } {
    const at = this.lastOf(lane, step);
    const of = (i: number) => (i < 0 ? this.story.starts[lane] : this.story.steps[i].frame) ?? undefined;
    if (step === this.story.steps.length && this.story.ends[lane]) return { at, now: this.story.ends[lane]!, before: of(at) };
    return { at, now: of(at), before: at < 0 ? undefined : of(this.lastOf(lane, at - 1)) };
  }

  // value of a variable that changes.
  value(name: string, step: number): string | undefined {
    const list = this.changes.get(name)!;
    const k = last(list, (c) => c.step, step);
    return k < 0 ? undefined : list[k].value;
  }
}

// last is the index of the last element whose number is at most n, -1 if there is none.
function last<T>(list: T[], number: (x: T) => number, n: number): number {
  let lo = 0, hi = list.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (number(list[mid]) <= n) lo = mid + 1; else hi = mid;
  }
  return lo - 1;
}
