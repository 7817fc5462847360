import type {
  ActiveTurn,
  ClassifyRequest,
  GuidanceRequest,
  MergeRequest,
  ReconcileStateRequest,
  ReconcileStoreRequest,
  TurnSetRequest,
  TurnStartRequest,
  TurnSteerRequest,
} from "./abi.js";
import type { OpenOptions, ThreadOptions } from "./module.js";
import type { StartRequest, SteerRequest, ThreadReconcileRequest } from "./thread.js";

/** The compiler sees that no member of the type is missing. */
type Members<T> = Readonly<Record<keyof T, true>>;

const steer: Members<SteerRequest> = { params: true, promptHook: true, policy: true };
const start: Members<StartRequest> = { turnId: true, ...steer };
const reconcile: Members<ThreadReconcileRequest> = { history: true, policy: true };

/** What the objects that a caller gives may have, by the names of their types. */
const known = {
  OpenOptions: {
    module: true,
    memoryLimit: true,
    timeout: true,
    illFormed: true,
  } satisfies Members<OpenOptions>,
  ThreadOptions: { policy: true } satisfies Members<ThreadOptions>,
  StartRequest: start,
  SteerRequest: steer,
  ThreadReconcileRequest: reconcile,
  ActiveTurn: { id: true, kind: true } satisfies Members<ActiveTurn>,
  MergeRequest: {
    store: true,
    additionalContext: true,
    policy: true,
  } satisfies Members<MergeRequest>,
  TurnStartRequest: { state: true, ...start } satisfies Members<TurnStartRequest>,
  TurnSteerRequest: { state: true, ...steer } satisfies Members<TurnSteerRequest>,
  TurnSetRequest: {
    state: true,
    activeTurn: true,
    ifTurnId: true,
    policy: true,
  } satisfies Members<TurnSetRequest>,
  ReconcileRequest: { state: true, store: true, ...reconcile } satisfies Members<
    ReconcileStateRequest & ReconcileStoreRequest
  >,
  ClassifyRequest: { items: true, store: true, policy: true } satisfies Members<ClassifyRequest>,
  GuidanceRequest: { policy: true } satisfies Members<GuidanceRequest>,
};

export type Checked = keyof typeof known;

/**
 * Throws a TypeError for what is no object, or has a member that its type does not. The module passes over such members,
 * for newer hosts; here one is a mistake, and what it was meant to say, such as a policy, would be lost.
 */
export function checkMembers(type: Checked, value: unknown) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${type} is no object`);
  }
  const names = known[type];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || Object.hasOwn(names, name)) continue;
    const list = Object.keys(names).join(", ");
    throw new TypeError(`${type} has no member ${name}; it has ${list}`);
  }
}

/** Throws a TypeError for an id that is no string. */
export function checkId(name: string, value: unknown) {
  if (typeof value !== "string") throw new TypeError(`${name} is no string`);
}
