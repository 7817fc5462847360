// The worker of a RemoteInstance: an instance of the module that answers one message after the other.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Instance } from "./instance.js";
import type { Compiled } from "./load.js";

export type Reply = { answer: Uint8Array; bloated: boolean } | { reason: string };

async function serve(port: MessagePort, compiled: Compiled) {
  const instance = await Instance.make(compiled);
  port.on("message", async ({ name, request }) => {
    port.postMessage(await reply(instance, name, request));
  });
  port.postMessage("ready");
}

async function reply(
  instance: Instance,
  name: string,
  request: Uint8Array<ArrayBuffer>,
): Promise<Reply> {
  try {
    const answer = await instance.call(name, request);
    return { answer, bloated: instance.bloated };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

// A rejection ends the worker, and is the error that the other side gets.
if (parentPort) void serve(parentPort, workerData);
