import { randomUUID } from "node:crypto";
import type {
  ActiveTurn,
  HistoryItem,
  Input,
  Policy,
  Receipt,
  ReconcileStateResponse,
  State,
  Turn,
  TurnResponse,
  TurnSetResponse,
  TurnStartParams,
  TurnStartRequest,
  TurnSteerParams,
  TurnSteerRequest,
} from "./abi.js";
import { isPlain } from "./json.js";
import { Line } from "./line.js";
import { checkId, checkMembers } from "./members.js";
import type { Module } from "./module.js";

/** Params without `threadId` get the thread's. */
type WithoutThreadId<Params extends { threadId: string }> = Omit<Params, "threadId"> & {
  threadId?: string | undefined;
};

/** What {@link Thread.start} takes: a {@link TurnStartRequest} without the state, which is the thread's own. */
export interface StartRequest extends Omit<TurnStartRequest, "state" | "params"> {
  params: WithoutThreadId<TurnStartParams>;
}

/** What {@link Thread.steer} takes: a {@link TurnSteerRequest} without the state, which is the thread's own. */
export interface SteerRequest extends Omit<TurnSteerRequest, "state" | "params"> {
  params: WithoutThreadId<TurnSteerParams>;
}

/** What {@link Thread.reconcile} takes. */
export interface ThreadReconcileRequest {
  /** The model-visible items that are really left. */
  history: readonly HistoryItem[];
  policy?: Policy | null | undefined;
}

/** A state as JSON text, with what stands at its beginning. */
interface ThreadState {
  readonly text: string;
  readonly id: string;
  readonly activeTurn: ActiveTurn | null;
}

/**
 * The state of one thread.
 *
 * What changes the state does so alone: start, steer, set, end, reconcile and restore of a thread happen one after the
 * other, in the order of the calls. An error changes nothing; errors are those of the {@link Module}'s method behind.
 *
 * A thread is told what its model was told. So record the inputs in the history first, then save the state: a crash
 * between the two then repeats a message instead of losing one. {@link prepareStart} and {@link prepareSteer} leave
 * room for that; {@link start} and {@link steer} are for a history that cannot fail.
 *
 * There is nothing to close.
 */
export class Thread {
  readonly #module: Module;
  readonly #policy: Policy | null | undefined;
  readonly #turns = new Line();
  #now: ThreadState;

  /** @internal */
  constructor(module: Module, state: ThreadState, policy: Policy | null | undefined) {
    this.#module = module;
    this.#now = state;
    this.#policy = policy;
  }

  get id(): string {
    return this.#now.id;
  }

  /** The turn that the thread is in, or null. One that is prepared is not yet the thread's. */
  get activeTurn(): ActiveTurn | null {
    const { activeTurn } = this.#now;
    return activeTurn && { ...activeTurn };
  }

  /** Returns a copy of the state, to be saved. What is prepared is not in it. It does not wait. */
  snapshot(): State {
    return JSON.parse(this.#now.text);
  }

  /** Starts a turn, or steers the active one, and adopts the new state at once. */
  async start(request: StartRequest): Promise<TurnResponse> {
    return adopt(await this.prepareStart(request));
  }

  /** Adds to the active turn, and adopts the new state at once. */
  async steer(request: SteerRequest): Promise<TurnResponse> {
    return adopt(await this.prepareSteer(request));
  }

  /** Does what {@link start} does, but for adopting the new state: that is for the caller to commit or to discard. */
  async prepareStart(request: StartRequest): Promise<Prepared> {
    checkMembers("StartRequest", request);
    return this.#prepare("turn_start", this.#writeTurn(request));
  }

  /** Does what {@link steer} does, but for adopting the new state: that is for the caller to commit or to discard. */
  async prepareSteer(request: SteerRequest): Promise<Prepared> {
    checkMembers("SteerRequest", request);
    return this.#prepare("turn_steer", this.#writeTurn(request));
  }

  /**
   * Says that a turn began which no client started: a review or a compact turn. It takes the place of an active one.
   * Throws a TypeError for what is no turn: null would end whatever turn is active.
   */
  async set(turn: ActiveTurn): Promise<void> {
    checkMembers("ActiveTurn", turn);
    await this.#set(this.#module.write({ activeTurn: turn }));
  }

  /**
   * Says that a turn ended. If it is not the active one, because another began in the meantime, nothing changes. Throws
   * a TypeError for an id that is no string: without one, whatever turn is active would end.
   */
  async end(turnId: string): Promise<void> {
    checkId("turnId", turnId);
    await this.#set(this.#module.write({ activeTurn: null, ifTurnId: turnId }));
  }

  /**
   * Compares what the thread was told with what is left in its history, and adopts the new state at once. The inputs
   * tell again what is missing. For after a compaction, a rollback, a resume or a fork.
   */
  async reconcile(request: ThreadReconcileRequest): Promise<ReconcileStateResponse> {
    const { turn: _, ...answer } = adopt(await this.prepareReconcile(request));
    return answer;
  }

  /** Does what {@link reconcile} does, but for adopting the new state: that is for the caller to commit or to discard. */
  async prepareReconcile(request: ThreadReconcileRequest): Promise<Prepared<undefined>> {
    checkMembers("ThreadReconcileRequest", request);
    return this.#prepare("reconcile", this.#write(request));
  }

  /**
   * Makes the thread go on from another state of its own, as a rollback does from an older one. Throws an Error for the
   * state of another thread.
   */
  async restore(state: State): Promise<void> {
    const request = readRequest(this.#module, state);
    await this.#turns.alone(async () => {
      const restored = await readState(this.#module, request);
      if (restored.id !== this.id) {
        throw new Error(`the state is of thread ${restored.id}, not of ${this.id}`);
      }
      this.#now = restored;
    });
  }

  /** Writes a request but for the state, which others may change before its turn comes. */
  #write<T extends { policy?: Policy | null | undefined }>(request: T): string {
    const policy = request.policy ?? this.#policy;
    return this.#module.write({ ...request, policy, state: undefined });
  }

  /** Writes a request whose params, if they have no thread's id, get this one's. */
  #writeTurn(request: StartRequest | SteerRequest): string {
    const { params } = request;
    if (!isPlain(params) || params.threadId !== undefined) return this.#write(request);
    return this.#write({ ...request, params: { ...params, threadId: this.id } });
  }

  /** Makes a call of turn_set with the thread's state, and adopts the one of the answer. */
  async #set(rest: string): Promise<void> {
    await this.#turns.alone(async () => {
      this.#now = await readState(this.#module, withState(this.#now.text, rest));
    });
  }

  /** Makes a call with the thread's state, and keeps the right to change it unless the call fails. */
  async #prepare<T extends Turn | undefined>(name: string, rest: string): Promise<Prepared<T>> {
    const leave = await this.#turns.enter();
    try {
      const request = withState(this.#now.text, rest);
      const answer = await this.#module.ask<Answer<T>>(name, request);
      const next = threadState(answer.state);
      return new Prepared(answer, (commit) => {
        if (commit) this.#now = next;
        leave();
      });
    } catch (error) {
      leave();
      throw error;
    }
  }
}

/** What the module answers to a turn, or, without one, to reconcile. */
interface Answer<T extends Turn | undefined> extends ReconcileStateResponse {
  turn: T;
}

/**
 * A turn that was started or steered, or a history that was reconciled, with the thread's state as it was. Record the
 * inputs, save the state, then commit. Until it is committed or discarded, whatever would change the thread waits.
 */
export class Prepared<T extends Turn | undefined = Turn> {
  /** The state that the thread has after the commit. */
  readonly state: State;
  /** Undefined for what was reconciled. */
  readonly turn: T;
  readonly inputs: Input[];
  readonly receipts: Receipt[];
  #settle: ((commit: boolean) => void) | undefined;

  /** @internal */
  constructor(answer: Answer<T>, settle: (commit: boolean) => void) {
    this.state = answer.state;
    this.turn = answer.turn;
    this.inputs = answer.inputs;
    this.receipts = answer.receipts;
    this.#settle = settle;
  }

  /** Adopts the new state and lets the next in line go on. Throws an Error where it was committed or discarded before. */
  commit(): void {
    if (!this.#settle) throw new Error("what was prepared is committed or discarded already");
    this.#settle(true);
    this.#settle = undefined;
  }

  /** Drops the new state and lets the next in line go on. After commit or discard it does nothing. */
  discard(): void {
    this.#settle?.(false);
    this.#settle = undefined;
  }

  [Symbol.dispose](): void {
    this.discard();
  }
}

/** @internal */
export function newThread(module: Module, id: string, policy: Policy | null | undefined): Thread {
  checkId("the thread's id", id);
  const state: State = { version: 1, threadId: id, activeTurn: null, additionalContext: {} };
  const copy = asWritten(module, { state, policy });
  return new Thread(module, threadState(copy.state), copy.policy);
}

/** @internal */
export async function restoreThread(
  module: Module,
  state: State,
  policy: Policy | null | undefined,
): Promise<Thread> {
  const copy = asWritten(module, { policy });
  return new Thread(module, await readState(module, readRequest(module, state)), copy.policy);
}

/** Copies members, which the caller may change, as the module would get them. */
function asWritten<T>(module: Module, members: T): T {
  return JSON.parse(module.write(members));
}

/** Writes the request that has the module read a state. */
function readRequest(module: Module, state: State): string {
  const nobodys = randomUUID(); // so that no turn ends
  return module.write({ state, activeTurn: null, ifTurnId: nobodys });
}

async function readState(module: Module, request: string): Promise<ThreadState> {
  const { state } = await module.ask<TurnSetResponse>("turn_set", request);
  return threadState(state);
}

/** Keeps nothing of the state itself, which is the caller's to change where it was an answer. */
function threadState(state: State): ThreadState {
  const { threadId: id, activeTurn } = state;
  return { text: JSON.stringify(state), id, activeTurn: activeTurn && { ...activeTurn } };
}

/** Puts the state at the beginning of a request. */
function withState(state: string, rest: string): string {
  return rest === "{}" ? `{"state":${state}}` : `{"state":${state},${rest.slice(1)}`;
}

function adopt<T extends Turn | undefined>(prepared: Prepared<T>): Answer<T> {
  prepared.commit();
  const { state, turn, inputs, receipts } = prepared;
  return { state, turn, inputs, receipts };
}
