"""The types of requests and answers: JSON objects, with the members' names as on the wire.

A member of a class with ``total=False`` may be absent. The ABI says what each of them means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 (for get_type_hints)
from typing import Literal, TypedDict

__all__ = [
    "AbiDescription",
    "ActiveTurn",
    "BuildDescription",
    "Change",
    "ClassifiedItem",
    "ClassifyResponse",
    "ContentPart",
    "Description",
    "Detail",
    "Entry",
    "GuidanceResponse",
    "ImagePart",
    "ImageUserInput",
    "Input",
    "Item",
    "KeyPolicy",
    "Kind",
    "Limits",
    "LocalImageUserInput",
    "MentionUserInput",
    "MergeResponse",
    "Policy",
    "PromptHook",
    "Receipt",
    "ReceiptWarning",
    "ReconcileResponse",
    "SkillUserInput",
    "State",
    "Store",
    "TextPart",
    "TextUserInput",
    "Truncated",
    "Truncation",
    "Turn",
    "TurnKind",
    "TurnResponse",
    "TurnSetResponse",
    "TurnStartParams",
    "TurnSteerParams",
    "Unresolved",
    "UserInput",
]

Kind = Literal["untrusted", "application"]
"""How far the model may trust an entry."""


class Entry(TypedDict):
    """One named piece of context."""

    value: str
    kind: Kind


Store = dict[str, Entry]
"""The map that a thread was last told."""

TurnKind = Literal["regular", "review", "compact"]


class ActiveTurn(TypedDict):
    """The turn that a thread is in. Only a regular one can be steered."""

    id: str
    kind: TurnKind


class State(TypedDict):
    """What is kept for a thread; it is saved as JSON."""

    version: int
    threadId: str
    activeTurn: ActiveTurn | None
    additionalContext: Store


# Policy

Truncation = Literal["middle", "head", "tail"]


class KeyPolicy(TypedDict, total=False):
    """What a policy says of one key.

    Attributes:
        maxValueTokens: The budget of its value in tokens; the policy's by default.
        truncation: What is kept of a value that is too long; the policy's by default.
        priority: An integer, 0 by default; what ``maxTotalTokens`` has no room for is dropped
            from the lowest on.
    """

    maxValueTokens: int | None
    truncation: Truncation | None
    priority: int | None


class Policy(TypedDict, total=False):
    """How context is rendered; ``None`` is the default everywhere.

    A field that the module does not have yet is refused, ``invalid_params`` with its path.

    Attributes:
        preset: The defaults of other fields; ``"reference"`` by default. ``"safe"`` sets
            ``wrapper`` to ``"attribute"``, ``controlCharacters`` to ``"strip"``, ``strictBudget``
            to true and ``removals`` to ``"announce"``, each unless it is given.
        maxValueTokens: The budget of each value in tokens; 1000 by default.
        maxTotalTokens: A budget in tokens for all context that one call injects; none by default.
        keys: For single keys, the fields that stand instead of the policy's; none by default.
        truncation: What is kept of a value that is too long: both ends (``"middle"``, the
            default), its beginning (``"head"``) or its end (``"tail"``).
        strictBudget: Whether the marker of a cut and escapes count too, so that no value exceeds
            its budget; false by default.
        tokenizer: How tokens are counted. ``"approx"``, the default, estimates four bytes as one;
            the others are ``unsupported`` unless ``describe`` lists them.
        wrapper: The tags around a value: named after the key, with nothing escaped
            (``"reference"``, the default), or fixed, with the key in an attribute and both escaped
            (``"attribute"``).
        controlCharacters: Whether control characters and terminal escapes stay in values
            (``"keep"``, the default) or are taken out (``"strip"``).
        updates: Whether the map sent is the whole set (``"replace"``, the default) or what changes
            in it (``"patch"``), where an entry that is ``None`` removes its key.
        removals: Whether the model is told that an entry no longer applies (``"announce"``) or
            not (``"silent"``, the default).
        steerContextOnly: Whether a steer may have context and an empty ``input``; false by
            default.
        experimentalApi: False for a client that did not opt in: an ``additionalContext`` of it
            that is not null is refused. True by default.
    """

    preset: Literal["reference", "safe"] | None
    maxValueTokens: int | None
    maxTotalTokens: int | None
    keys: Mapping[str, KeyPolicy | None] | None
    truncation: Truncation | None
    strictBudget: bool | None
    tokenizer: Literal["approx", "o200k_base", "cl100k_base"] | None
    wrapper: Literal["reference", "attribute"] | None
    controlCharacters: Literal["keep", "strip"] | None
    updates: Literal["replace", "patch"] | None
    removals: Literal["silent", "announce"] | None
    steerContextOnly: bool | None
    experimentalApi: bool | None


# Params

Detail = Literal["high", "original"]


class _Text(TypedDict):
    type: Literal["text"]
    text: str


class TextUserInput(_Text, total=False):
    """Text; the elements are not shown to the model."""

    text_elements: Sequence[Mapping[str, object]]


class _Image(TypedDict):
    type: Literal["image"]
    url: str


class ImageUserInput(_Image, total=False):
    """An image by its URL."""

    detail: Detail | None


class _LocalImage(TypedDict):
    type: Literal["localImage"]
    path: str


class LocalImageUserInput(_LocalImage, total=False):
    """An image in a file, which only the host can read."""

    detail: Detail | None


class SkillUserInput(TypedDict):
    """A skill, which only the host knows."""

    type: Literal["skill"]
    name: str
    path: str


class MentionUserInput(TypedDict):
    """A mention, which only the host knows."""

    type: Literal["mention"]
    name: str
    path: str


UserInput = TextUserInput | ImageUserInput | LocalImageUserInput | SkillUserInput | MentionUserInput
"""One piece of what a user sent."""


class _Params(TypedDict):
    input: Sequence[UserInput]


class TurnStartParams(_Params, total=False):
    """What a client sends to start a turn. A Thread puts its ``threadId`` in."""

    threadId: str
    additionalContext: Mapping[str, Entry | None] | None
    approvalPolicy: object
    approvalsReviewer: object
    cwd: str | None
    effort: object
    model: str | None
    outputSchema: object
    personality: object
    sandboxPolicy: object
    serviceTier: str | None
    summary: object


class _SteerParams(_Params):
    expectedTurnId: str


class TurnSteerParams(_SteerParams, total=False):
    """What a client sends to add to the active turn. A Thread puts its ``threadId`` in."""

    threadId: str
    additionalContext: Mapping[str, Entry | None] | None


class PromptHook(TypedDict):
    """What a host's hook decided about the user's prompt."""

    blocked: bool
    contexts: Sequence[str]


# Answers


class TextPart(TypedDict):
    """Text for the model."""

    type: Literal["input_text"]
    text: str


class ImagePart(TypedDict):
    """An image for the model."""

    type: Literal["input_image"]
    image_url: str
    detail: Detail


ContentPart = TextPart | ImagePart


class Item(TypedDict):
    """A message, as the Responses API takes it."""

    type: Literal["message"]
    role: Literal["user", "developer"]
    content: list[ContentPart]


class _Unresolved(TypedDict):
    at: int
    type: Literal["localImage", "skill", "mention"]
    path: str


class Unresolved(_Unresolved, total=False):
    """What only the host can put into the item's content, at the index ``at``."""

    name: str
    detail: Detail
    number: int


class _Input(TypedDict):
    source: Literal["additionalContext", "user", "promptHook"]
    hidden: bool
    item: Item


class Input(_Input, total=False):
    """One message for the model. ``key`` and ``kind`` are there with additional context."""

    key: str
    kind: Kind
    unresolved: list[Unresolved]


Change = Literal["added", "changed", "unchanged", "removed", "restored", "dropped"]
ReceiptWarning = Literal["key_has_gt", "value_has_closing_tag", "control_characters"]


class _Truncated(TypedDict):
    originalTokens: int
    removedTokens: int


class Truncated(_Truncated, total=False):
    """How much of a value was cut.

    `estimated` stands where a `tokenizer` counted a long value only in part, so that both numbers
    are estimates.
    """

    estimated: Literal[True]


class _Receipt(TypedDict):
    key: str
    kind: Kind
    change: Change
    tokens: int
    warnings: list[ReceiptWarning]


class Receipt(_Receipt, total=False):
    """What happened to one key."""

    truncated: Truncated


class MergeResponse(TypedDict):
    """The answer of ``merge``."""

    store: Store
    inputs: list[Input]
    receipts: list[Receipt]


class Turn(TypedDict):
    """The turn that an input went to; ``steered`` where it was active already."""

    id: str
    steered: bool


class TurnResponse(TypedDict):
    """The answer of ``turn_start`` and ``turn_steer``."""

    state: State
    turn: Turn
    inputs: list[Input]
    receipts: list[Receipt]


class TurnSetResponse(TypedDict):
    """The answer of ``turn_set``."""

    state: State


class _ReconcileResponse(TypedDict):
    inputs: list[Input]
    receipts: list[Receipt]


class ReconcileResponse(_ReconcileResponse, total=False):
    """The answer of ``reconcile``: ``state`` or ``store``, whichever was given."""

    state: State
    store: Store


class _ClassifiedItem(TypedDict):
    hidden: bool


class ClassifiedItem(_ClassifiedItem, total=False):
    """Whether an item is hidden context, and whose."""

    key: str
    kind: Kind


class ClassifyResponse(TypedDict):
    """The answer of ``classify``."""

    items: list[ClassifiedItem]


class GuidanceResponse(TypedDict):
    """The answer of ``guidance``: a paragraph for a system prompt."""

    text: str


class AbiDescription(TypedDict):
    """The contract that a module keeps."""

    name: str
    version: int


class BuildDescription(TypedDict):
    """What a module was built from."""

    version: str
    go: str


class Limits(TypedDict):
    """The bounds that a module enforces."""

    requestBytes: int
    depth: int
    textChars: int


class Description(TypedDict):
    """The answer of ``describe``."""

    abi: AbiDescription
    build: BuildDescription
    functions: list[str]
    limits: Limits
    tokenizers: list[str]
