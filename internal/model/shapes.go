package model

import (
	"fmt"
	"slices"

	"github.com/turncontext/turncontext/abi"
)

// stateVersion is the version of a state that the ABI has.
const stateVersion = 1

// The shapes of requests (abi/README.md).
var (
	entry = objectOf(
		field{"value", required, isA(text)},
		field{"kind", required, oneOf("kind", string(abi.Untrusted), string(abi.Application))},
	)
	entries    = mapOf(entry)
	activeTurn = objectOf(
		field{"id", required, isA(text)},
		field{"kind", required, oneOf("kind", string(abi.RegularTurn), string(abi.ReviewTurn), string(abi.CompactTurn))},
	)
	promptHook = objectOf(
		field{"blocked", required, isA(boolean)},
		field{"contexts", required, listOf(isA(text))},
	)

	startRequest = both(objectOf(
		field{"state", optional, orNull(state)},
		field{"turnId", required, isA(text)},
		field{"params", required, isA(object)},
		field{"promptHook", optional, orNull(promptHook)},
		policyField,
	), usedTurnID)
	steerRequest = objectOf(
		field{"state", given, state},
		field{"params", required, isA(object)},
		field{"promptHook", optional, orNull(promptHook)},
		policyField,
	)
	setRequest = objectOf(
		field{"state", given, state},
		field{"activeTurn", required, orNull(activeTurn)},
		field{"ifTurnId", optional, isA(text)},
		policyField,
	)
)

// mergeRequest is the shape of a request to merge. What the policy says of
// updates counts wherever it stands.
func mergeRequest(c *checker, path string, v value) {
	objectOf(
		field{"store", optional, orNull(entries)},
		contextField(sendsPatch(v)),
		policyField,
	)(c, path, v)
}

// contextField is an additionalContext; in a patch an entry may be null.
func contextField(patch bool) field {
	if patch {
		return field{"additionalContext", optional, orNull(mapOf(orNull(entry)))}
	}
	return field{"additionalContext", optional, orNull(entries)}
}

// both is the shape of a value that has two.
func both(a, b shape) shape {
	return func(c *checker, path string, v value) {
		a(c, path, v)
		b(c, path, v)
	}
}

// state is the shape of a state. One of a newer version may look otherwise.
func state(c *checker, path string, v value) {
	objectOf(
		field{"version", required, version},
		field{"threadId", required, isA(text)},
		field{"activeTurn", optional, orNull(activeTurn)},
		field{"additionalContext", optional, orNull(entries)},
	)(c, path, v)
	if found := v.find("version"); found != nil {
		if n, ok := found.integer(); ok && n > stateVersion {
			reason := fmt.Sprintf("version %d is newer than %d", n, stateVersion)
			*c = append(*c, violation{at: v.start, path: path, reason: reason, unsupported: true})
		}
	}
}

func version(c *checker, path string, v value) {
	if n, ok := v.integer(); !ok || n < stateVersion {
		c.add(v.start, path, fmt.Sprintf("expected %d", stateVersion))
	}
}

// usedTurnID is the shape of a start whose turnId is not empty where the turn
// gets it.
func usedTurnID(c *checker, path string, v value) {
	if s := v.given("state"); s != nil && s.given("activeTurn") != nil {
		return
	}
	if id := v.find("turnId"); id != nil && id.kind == text && id.text == "" {
		c.add(id.start, join(path, "turnId"), "must not be empty")
	}
}

// The shapes of params (abi/schema).
var (
	threadIDField = field{"threadId", required, isA(text)}
	inputField    = field{"input", required, listOf(userInput)}
	detailField   = field{"detail", optional, orNull(oneOf("detail", "high", "original"))}

	userInput = variants(
		variant{"text", []field{
			{"text", required, isA(text)},
			{"text_elements", optional, listOf(objectOf(
				field{"byteRange", required, objectOf(
					field{"end", required, anInteger},
					field{"start", required, anInteger},
				)},
				field{"placeholder", optional, orNull(isA(text))},
			))},
		}},
		variant{"image", []field{{"url", required, isA(text)}, detailField}},
		variant{"localImage", []field{{"path", required, isA(text)}, detailField}},
		variant{"skill", []field{{"name", required, isA(text)}, {"path", required, isA(text)}}},
		variant{"mention", []field{{"name", required, isA(text)}, {"path", required, isA(text)}}},
	)

	steerFields = []field{{"expectedTurnId", required, isA(text)}, inputField, threadIDField}
	startFields = []field{inputField, threadIDField,
		{"approvalPolicy", optional, orNull(approvalPolicy)},
		{"approvalsReviewer", optional, orNull(oneOf("reviewer", "user", "auto_review", "guardian_subagent"))},
		{"cwd", optional, orNull(isA(text))},
		{"effort", optional, orNull(effort)},
		{"model", optional, orNull(isA(text))},
		{"outputSchema", optional, anything},
		{"personality", optional, orNull(oneOf("personality", "none", "friendly", "pragmatic"))},
		{"sandboxPolicy", optional, orNull(sandboxPolicy)},
		{"serviceTier", optional, orNull(isA(text))},
		{"summary", optional, orNull(oneOf("summary", "auto", "concise", "detailed", "none"))},
	}
	effort         = oneOf("effort", "none", "minimal", "low", "medium", "high", "xhigh")
	approvalPolicy = textOr(oneOf("approval policy", "untrusted", "on-failure", "on-request", "never"),
		closed(field{"granular", required, objectOf(
			field{"mcp_elicitations", required, isA(boolean)},
			field{"request_permissions", optional, isA(boolean)},
			field{"rules", required, isA(boolean)},
			field{"sandbox_approval", required, isA(boolean)},
			field{"skill_approval", optional, isA(boolean)},
		)}))
	sandboxPolicy = variants(
		variant{"dangerFullAccess", nil},
		variant{"readOnly", []field{{"networkAccess", optional, isA(boolean)}}},
		variant{"externalSandbox", []field{{"networkAccess", optional, oneOf("network access", "restricted", "enabled")}}},
		variant{"workspaceWrite", []field{
			{"excludeSlashTmp", optional, isA(boolean)},
			{"excludeTmpdirEnvVar", optional, isA(boolean)},
			{"networkAccess", optional, isA(boolean)},
			{"writableRoots", optional, listOf(isA(text))},
		}},
	)
)

// params is the shape of params; in those of a patch an entry may be null.
func params(fields []field, patch bool) shape {
	return objectOf(append(slices.Clone(fields), contextField(patch))...)
}
