import { readFileSync } from "node:fs";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Returns the code block of the README behind the marker of that name. @param {string} name */
export function example(name) {
  const [, code] =
    readme.match(new RegExp(`<!-- example:${name} -->\n\`\`\`\\w+\n(.*?)\`\`\`\n`, "s")) ?? [];
  if (!code) throw new Error(`the README has no example ${name}`);
  return code;
}
