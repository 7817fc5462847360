// The requests and answers of the module, as its ABI (version 1) specifies them.
// A member that is `undefined` is absent.

/** How far the model may trust an entry: `untrusted` text is data, `application` text speaks for the runtime. */
export type Kind = "untrusted" | "application";

/** One named piece of context. */
export interface Entry {
  value: string;
  kind: Kind;
}

/** What a thread was last told, by key. To be kept and handed back; any JSON text of the same value is the same store. */
export type Store = Record<string, Entry>;

/**
 * The complete current context, by key. `null`, `{}` and an absent one are the same: there is none. An entry may be
 * `null` only under the policy `updates: "patch"`, where it removes its key.
 */
export type AdditionalContext = Record<string, Entry | null> | null;

/** Only a `regular` turn can be steered. */
export type TurnKind = "regular" | "review" | "compact";

/** The turn that a thread is in. */
export interface ActiveTurn {
  id: string;
  kind: TurnKind;
}

/** What a host keeps for a thread. To be saved and handed back; any JSON text of the same value is the same state. */
export interface State {
  version: 1;
  threadId: string;
  activeTurn: ActiveTurn | null;
  additionalContext: Store;
}

/** How closely the model looks at an image. */
export type ImageDetail = "high" | "original";

/** One piece of what a user sent. */
export type UserInput =
  | { type: "text"; text: string; text_elements?: unknown[] }
  | { type: "image"; url: string; detail?: ImageDetail | null }
  | { type: "localImage"; path: string; detail?: ImageDetail | null }
  | { type: "skill"; name: string; path: string }
  | { type: "mention"; name: string; path: string };

/** The params of `turn/start`. The module reads the first three members, and checks the others. */
export interface TurnStartParams {
  threadId: string;
  input: UserInput[];
  additionalContext?: AdditionalContext | undefined;
  approvalPolicy?: unknown;
  approvalsReviewer?: unknown;
  cwd?: string | null | undefined;
  effort?: unknown;
  model?: string | null | undefined;
  outputSchema?: unknown;
  personality?: unknown;
  sandboxPolicy?: unknown;
  serviceTier?: string | null | undefined;
  summary?: unknown;
}

/** The params of `turn/steer`. */
export interface TurnSteerParams {
  threadId: string;
  /** The turn that the client takes for the active one. */
  expectedTurnId: string;
  input: UserInput[];
  additionalContext?: AdditionalContext | undefined;
}

/** What a host's hook decided about the user's prompt. */
export interface PromptHook {
  /** Leaves the user's input out. */
  blocked: boolean;
  /** Are given to the model as developer messages. */
  contexts: string[];
}

/** Which part of a value that is too long is kept. */
export type Truncation = "middle" | "head" | "tail";

/** What a policy says about one key. */
export interface KeyPolicy {
  /** The budget of its value in tokens; the policy's by default. */
  maxValueTokens?: number | null | undefined;
  /** The policy's by default. */
  truncation?: Truncation | null | undefined;
  /** Any integer, 0 by default; entries of the lowest are dropped first. */
  priority?: number | null | undefined;
}

/** The knobs, all optional; `null` is the default. A module refuses a field that it does not have. */
export interface Policy {
  /**
   * The defaults of other fields; `reference` by default. `safe` sets `wrapper` to `attribute`, `controlCharacters` to
   * `strip`, `strictBudget` to true and `removals` to `announce`, each unless it is given.
   */
  preset?: "reference" | "safe" | null | undefined;
  /** The budget of each value in tokens; 1000 by default. */
  maxValueTokens?: number | null | undefined;
  /** A budget in tokens for all context that one call injects; none by default. */
  maxTotalTokens?: number | null | undefined;
  /** For single keys, what stands instead of the policy's fields; none by default. */
  keys?: Record<string, KeyPolicy | null> | null | undefined;
  /** What is kept of a value that is too long: both ends (`middle`, the default), its beginning or its end. */
  truncation?: Truncation | null | undefined;
  /** Whether the marker of a cut and escapes count too, so that no value exceeds its budget; false by default. */
  strictBudget?: boolean | null | undefined;
  /**
   * How tokens are counted; `approx`, the default, estimates four bytes as one. One that the module lacks is
   * `unsupported`; `describe` lists those that it has.
   */
  tokenizer?: "approx" | "o200k_base" | "cl100k_base" | null | undefined;
  /**
   * The tags around a value: named after the key, with nothing escaped (`reference`, the default), or fixed, with the
   * key in an attribute and both escaped.
   */
  wrapper?: "reference" | "attribute" | null | undefined;
  /** Whether control characters and terminal escapes stay in values (`keep`, the default) or are taken out. */
  controlCharacters?: "keep" | "strip" | null | undefined;
  /**
   * Whether the map sent is the whole set (`replace`, the default) or what changes in it, where an entry that is null
   * removes its key.
   */
  updates?: "replace" | "patch" | null | undefined;
  /** Whether the model is told that an entry no longer applies; it is not by default (`silent`). */
  removals?: "silent" | "announce" | null | undefined;
  /** Whether a steer may have context and an empty `input`; false by default. */
  steerContextOnly?: boolean | null | undefined;
  /** False for a client that did not opt in: an `additionalContext` of it that is not null is refused. True by default. */
  experimentalApi?: boolean | null | undefined;
}

/** Asks `merge` to compare the context sent with what the thread was told before. */
export interface MergeRequest {
  /** The `store` of the answer before; absent or `null` for a new thread. */
  store?: Store | null | undefined;
  additionalContext?: AdditionalContext | undefined;
  policy?: Policy | null | undefined;
}

/** Asks `turn_start` to start a turn, or to steer the active one. */
export interface TurnStartRequest {
  /** Absent or `null` for a thread that has none yet, which then gets the params' id. */
  state?: State | null | undefined;
  /** The id that a new turn gets. */
  turnId: string;
  params: TurnStartParams;
  promptHook?: PromptHook | null | undefined;
  policy?: Policy | null | undefined;
}

/** Asks `turn_steer` to add to the active turn. */
export interface TurnSteerRequest {
  state: State;
  params: TurnSteerParams;
  promptHook?: PromptHook | null | undefined;
  policy?: Policy | null | undefined;
}

/** Tells `turn_set` that a turn began which the client did not start, or that the turn ended. */
export interface TurnSetRequest {
  state: State;
  /** The turn that began; `null` says that none is active. */
  activeTurn: ActiveTurn | null;
  /** If given, the state changes only if this is the id of the active turn. */
  ifTurnId?: string | undefined;
  policy?: Policy | null | undefined;
}

/** An item of a history. The module looks at messages only. */
export type HistoryItem = object;

/** Asks `reconcile` to compare the store with the model-visible items that are really left. */
export interface ReconcileStoreRequest {
  store: Store;
  history: readonly HistoryItem[];
  policy?: Policy | null | undefined;
}

/** The same for the store in a state. */
export interface ReconcileStateRequest {
  state: State;
  history: readonly HistoryItem[];
  policy?: Policy | null | undefined;
}

/** Asks `classify` which items are hidden context. */
export interface ClassifyRequest {
  items: readonly HistoryItem[];
  /** By whose keys the developer's messages are recognised. */
  store?: Store | null | undefined;
  policy?: Policy | null | undefined;
}

/** Asks for the `guidance` that goes with a policy. */
export interface GuidanceRequest {
  policy?: Policy | null | undefined;
}

/** A part of a message that is text. */
export interface InputText {
  type: "input_text";
  text: string;
}

/** A part of a message that is an image. */
export interface InputImage {
  type: "input_image";
  image_url: string;
  detail: ImageDetail;
}

/** A message as the Responses API takes it. */
export interface Item<Role extends string, Part> {
  type: "message";
  role: Role;
  content: Part[];
}

/** A part of the user's input that only a host can resolve. `at` is the index in `content` where it belongs. */
export type Unresolved =
  | { at: number; type: "localImage"; path: string; detail: ImageDetail; number: number }
  | { at: number; type: "skill" | "mention"; name: string; path: string };

/** One message for the model. `hidden` is false for the user's own only. */
export type Input =
  | {
      source: "additionalContext";
      key: string;
      kind: "untrusted";
      hidden: true;
      item: Item<"user", InputText>;
    }
  | {
      source: "additionalContext";
      key: string;
      kind: "application";
      hidden: true;
      item: Item<"developer", InputText>;
    }
  | {
      source: "user";
      hidden: false;
      item: Item<"user", InputText | InputImage>;
      unresolved?: Unresolved[];
    }
  | { source: "promptHook"; hidden: true; item: Item<"developer", InputText> };

/** What happened to a key: `restored` by `reconcile`, `dropped` by a budget for everything. */
export type Change = "added" | "changed" | "unchanged" | "removed" | "restored" | "dropped";

/** Something about an injected text that a host may want to show. */
export type Warning = "key_has_gt" | "value_has_closing_tag" | "control_characters";

/** What happened to one key. */
export interface Receipt {
  key: string;
  /** The new entry's; for a removed one the old. */
  kind: Kind;
  change: Change;
  /** Of the whole text injected; 0 where nothing was. */
  tokens: number;
  /**
   * Stands where the value was cut: its tokens, and the number that the marker shows. `estimated` says that a
   * `tokenizer` counted a long value only in part, so that both are estimates.
   */
  truncated?: { originalTokens: number; removedTokens: number; estimated?: true };
  warnings: Warning[];
}

/** What is told to the model, in order, and what happened to each key, in key order. */
export interface Told {
  inputs: Input[];
  receipts: Receipt[];
}

/** The answer of `merge`. Put the inputs into the history, then save the store. */
export interface MergeResponse extends Told {
  store: Store;
}

/** The turn that an input went to; `steered` if it was active already. */
export interface Turn {
  id: string;
  steered: boolean;
}

/** The answer of `turn_start` and `turn_steer`. Put the inputs into the history, then save the state. */
export interface TurnResponse extends Told {
  state: State;
  turn: Turn;
}

/** The answer of `turn_set`. */
export interface TurnSetResponse {
  state: State;
}

/** The answer of `reconcile` for a store. */
export interface ReconcileStoreResponse extends Told {
  store: Store;
}

/** The answer of `reconcile` for a state. */
export interface ReconcileStateResponse extends Told {
  state: State;
}

/** What an item is. */
export type Classified = { hidden: false } | { hidden: true; key: string; kind: Kind };

/** The answer of `classify`: one for each item. */
export interface ClassifyResponse {
  items: Classified[];
}

/** The answer of `guidance`: a paragraph for a system prompt. */
export interface GuidanceResponse {
  text: string;
}

/** The answer of `describe`. */
export interface Description {
  abi: { name: string; version: number };
  /** What the module was built from. */
  build: { version: string; go: string };
  /** Sorted. */
  functions: string[];
  limits: { requestBytes: number; depth: number; textChars: number };
  /** The names that the policy's `tokenizer` may have. */
  tokenizers: string[];
}

/** What was wrong with a request. */
export type ErrorKind =
  | "invalid_json"
  | "invalid_request"
  | "invalid_params"
  | "request_too_large"
  | "unsupported"
  | "experimental_api_required"
  | "input_too_large"
  | "no_active_turn"
  | "turn_mismatch"
  | "turn_not_steerable"
  | "empty_input"
  | "internal";
