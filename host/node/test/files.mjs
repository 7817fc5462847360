import { readdirSync } from "node:fs";

/** Counts the process's open files, on Linux. */
export const openFiles = () => readdirSync("/proc/self/fd").length;

/** Why they cannot be counted, for a test's `skip`; false where they can. */
export const uncountable = process.platform === "linux" ? false : "needs /proc";
