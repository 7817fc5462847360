//go:build !guest

package abi

// Description is the answer of describe.
type Description struct {
	ABI       ABIDescription   `json:"abi"`
	Build     BuildDescription `json:"build"`
	Functions []string         `json:"functions"` // sorted
	Limits    Limits           `json:"limits"`
	// Tokenizers are the names that the policy's tokenizer may have.
	Tokenizers []string `json:"tokenizers"`
}

// ABIDescription names the contract that a module keeps.
type ABIDescription struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// BuildDescription tells what a module was built from.
type BuildDescription struct {
	Version string `json:"version"` // of turncontext
	Go      string `json:"go"`      // of the Go toolchain
}

// Limits are the bounds that a module enforces.
type Limits struct {
	RequestBytes int `json:"requestBytes"`
	Depth        int `json:"depth"`
	TextChars    int `json:"textChars"`
}
