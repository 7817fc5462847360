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
import { findSymbol, isPlain } from "./json.js";
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
 * Throws a TypeError for what is no plain object, or has a member that its type does not. The module passes over such
 * members, for newer hosts, and a copy lacks what a class gives; here both are mistakes, and what they were meant to
 * say, such as a policy, would be lost.
 */
export function checkMembers(type: Checked, value: unknown) {
  if (!isPlain(value)) throw new TypeError(`${type} is no plain object`);
  const names = known[type];
  const isUnknown = (name: string) => value[name] !== undefined && !Object.hasOwn(names, name);
  const name = Object.keys(value).find(isUnknown) ?? findSymbol(value);
  if (name === undefined) return;
  const list = Object.keys(names).join(", ");
  throw new TypeError(`${type} has no member ${String(name)}; it has ${list}`);
}

/** Throws a TypeError for an id that is no string. */
export function checkId(name: string, value: unknown) {
  if (typeof value !== "string") throw new TypeError(`${name} is no string`);
}
