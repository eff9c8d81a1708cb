// The page: a headline, a slider, the picture, and panels beside it.

import { h } from "./dom";
import { Panels } from "./panels";
import { foldText, Picture, placeText, sayStep } from "./picture";
import { Past, Row, rowOf, rowsOf, stepAt, Story } from "./story";

const story: Story = JSON.parse(document.getElementById("story")!.textContent!);
const past = new Past(story);
let all = false;
let rows: Row[] = [];
let row = 0;

const slider = h("input", { type: "range", min: 0, value: 0, step: 1, id: "slider", "aria-label": "Step" });
const label = h("output", { class: "label", for: "slider" });
const live = h("div", { class: "sr", "aria-live": "polite" });
const picture = new Picture(story, go);
const panels = new Panels(story, past);

function button(text: string, title: string, key: string, act: () => void): HTMLButtonElement {
  const b = h("button", { type: "button", title: `${title} (${key})`, "aria-label": title }, text);
  b.addEventListener("click", act);
  return b;
}

const fold = button("Fold library", "Fold or unfold steps of the library", "f", () => refold(!all));
const edges = button("Orders", "Show or hide which steps come after which", "o", () => {
  picture.edges = !picture.edges;
  edges.setAttribute("aria-pressed", String(picture.edges));
  picture.draw();
});
edges.setAttribute("aria-pressed", "true");
const theme = button("Light/dark", "Change between light and dark", "t", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

// go goes to a row.
function go(to: number) {
  if (rows.length === 0) return;
  row = Math.max(0, Math.min(rows.length - 1, to));
  const r = rows[row];
  slider.value = String(row);
  const text = r.from === r.to ? sayStep(story, r.from) : foldText(story, r);
  slider.setAttribute("aria-valuetext", text);
  label.textContent = r.from < 0 ? "before the first step" : r.from === story.steps.length ? "the end" : `step ${r.from === r.to ? r.from + 1 : `${r.from + 1}–${r.to + 1}`} of ${story.steps.length}`;
  said = text;
  if (!asked) {
    asked = true;
    requestAnimationFrame(show);
  }
}

// show draws where one has gone to, once a frame, however fast one slides.
let asked = false, said = "";
function show() {
  asked = false;
  live.textContent = said;
  picture.select(row);
  panels.show(rows[row]);
}

// refold shows all steps, or folds those of the library.
function refold(show: boolean) {
  const at = rows.length > 0 ? rows[row].to : story.steps.length;
  all = show;
  rows = rowsOf(story, all);
  fold.setAttribute("aria-pressed", String(!all));
  slider.max = String(Math.max(0, rows.length - 1));
  picture.setRows(rows);
  go(rows.length > 0 ? rowOf(rows, at) : 0);
}

// seek goes to the next row in a direction of which something is true.
function seek(by: number, wanted: (r: Row) => boolean) {
  for (let i = row + by; i >= 0 && i < rows.length; i += by) {
    if (wanted(rows[i])) return go(i);
  }
}

const matters = (r: Row) => { for (let i = Math.max(0, r.from); i <= r.to; i++) if (stepAt(story, i).weight === "key") return true; return false; };
const same = (r: Row) => rows[row].from === rows[row].to && r.from === r.to && stepAt(story, r.from).lane === stepAt(story, rows[row].from).lane;

const keys: Record<string, () => void> = {
  ArrowDown: () => go(row + 1), ArrowRight: () => go(row + 1), j: () => go(row + 1),
  ArrowUp: () => go(row - 1), ArrowLeft: () => go(row - 1), k: () => go(row - 1),
  PageDown: () => go(row + 10), PageUp: () => go(row - 10),
  Home: () => go(0), End: () => go(rows.length - 1),
  n: () => seek(1, matters), p: () => seek(-1, matters),
  "]": () => seek(1, same), "[": () => seek(-1, same),
  f: () => fold.click(), o: () => edges.click(), t: () => theme.click(),
};

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
  if (e.target instanceof HTMLButtonElement && e.key.length > 1) return;
  if ((e.target as Element).closest?.(".code, .panels") && e.key.length > 1) return; // it scrolls
  e.preventDefault();
  keys[e.key]();
});
slider.addEventListener("input", () => go(Number(slider.value)));

const place = story.file >= 0 ? `${story.files[story.file].name}:${story.line}` : "";
const header = h("header", {},
  h("h1", {}, h("span", { class: "kind" }, story.kind), " ", story.message),
  h("p", { class: "sub" }, [place, story.title].filter((x) => x !== "").join(" · ")));
if (story.cause) header.append(h("p", { class: "cause" }, story.cause));
if (story.stale) header.append(h("p", { class: "stale", role: "status" }, story.stale));

const controls = h("div", { class: "controls", role: "toolbar", "aria-label": "Steps" },
  button("|◀", "First step", "Home", () => go(0)), button("◀", "Step before", "left", () => go(row - 1)),
  slider,
  button("▶", "Next step", "right", () => go(row + 1)), button("▶|", "Last step", "End", () => go(rows.length - 1)),
  label,
  button("◁ matters", "Step before that matters", "p", () => seek(-1, matters)), button("matters ▷", "Next step that matters", "n", () => seek(1, matters)),
  fold, edges, theme);

document.body.prepend(header, controls, h("main", {}, picture.element, panels.element),
  h("footer", {}, `${story.summary}. Keys: arrows move, n and p go to what matters, [ and ] stay with a goroutine, f folds, o shows orders, t is light or dark.`), live);

if (story.lanes.length === 0) {
  controls.remove();
  picture.element.replaceChildren(h("p", { class: "note" }, "It is so from the start: there are no steps, and nobody who waits."));
  panels.element.remove();
} else {
  refold(false);
  go(rows.length - 1);
  picture.focus();
}

// On paper all steps are there, one line each.
const most = 2000;
let paper: HTMLElement | undefined;
addEventListener("beforeprint", () => {
  const body = h("tbody", {});
  for (const r of rows.slice(0, most)) {
    const cell = (text: string, cls = "") => h("td", { class: cls }, text);
    if (r.from !== r.to) {
      body.append(h("tr", {}, cell(`${r.from + 1}`), cell(""), cell(foldText(story, r)), cell("")));
      continue;
    }
    const s = stepAt(story, r.from);
    body.append(h("tr", { class: s.weight }, cell(r.from < 0 || r.from === story.steps.length ? "·" : `${s.weight === "key" ? "* " : ""}${r.from + 1}`), cell(story.lanes[s.lane].name), cell(s.action), cell(s.file >= 0 ? placeText(story, s.file, s.line) : "")));
  }
  if (rows.length > most) body.append(h("tr", {}, h("td", { colspan: 4 }, `and ${rows.length - most} more lines`)));
  paper?.remove();
  paper = h("table", { class: "paper" }, h("caption", {}, "Steps; * matters"), body);
  document.body.append(paper);
});
addEventListener("afterprint", () => paper?.remove());
