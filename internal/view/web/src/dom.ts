// Helpers to make elements. Texts are always set as texts, never as markup: the program under test may say anything.

type Attrs = Record<string, string | number | boolean | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attrs: Attrs = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  set(e, attrs);
  e.append(...children);
  return e;
}

export function svg(tag: string, attrs: Attrs = {}, ...children: (Node | string)[]): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(e, attrs);
  e.append(...children);
  return e;
}

function set(e: Element, attrs: Attrs) {
  for (const [name, value] of Object.entries(attrs)) {
    if (value === undefined || value === false) continue;
    e.setAttribute(name, value === true ? "" : String(value));
  }
}
