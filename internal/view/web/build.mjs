// Bundles the page's program and style into dist, or into the folder that is given. The first line of each names the sources that it was
// made of, so that a test can tell without node whether it is fresh: see freshness in view_test.go.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
const sum = createHash("sha256");
for (const name of readdirSync(join(here, "src")).sort()) {
  const text = readFileSync(join(here, "src", name));
  sum.update(`${name} ${text.length}\n`).update(text);
}
const banner = `/* made by web/build.mjs of sources ${sum.digest("hex")} */`;
for (const [entry, file, kind] of [["main.ts", "view.js", "js"], ["sheet.ts", "sheet.js", "js"], ["view.css", "view.css", "css"]]) {
  await build({
    entryPoints: [join(here, "src", entry)], outfile: join(out, file), bundle: true, minify: true, target: "es2022", charset: "utf8", legalComments: "none",
    banner: { [kind]: banner }, logLevel: "warning",
  });
}
