// Prints how many milliseconds each step of a start takes.
const start = performance.now();
const { open } = await import("turncontext");
const imported = performance.now();
const module = await open();
const opened = performance.now();
await module.merge({ additionalContext: { ci: { value: "ok", kind: "untrusted" } } });
const called = performance.now();
const second = await open();
const again = performance.now();
await module.close();
await second.close();
console.log(
  JSON.stringify({
    import: imported - start,
    open: opened - imported,
    "first merge": called - opened,
    "open again": again - called,
  }),
);
