package supply

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each module that is built has a bill of materials that is compared, and is
// looked up with its own build tags: without them it would be another program.
func TestEachModuleIsLookedUp(t *testing.T) {
	makefile := read(t, "Makefile")
	built := tagsIn(makefile, `build \$\(GUEST_FLAGS\) -tags (\S+)`)
	if len(built) < 3 {
		t.Fatalf("only %q are built", built)
	}
	if compared := tagsIn(makefile, `sbom -check -tags (\S+)`); !slices.Equal(compared, built) {
		t.Errorf("the bills of %q are compared, %q are built", compared, built)
	}
	if lookedUp := tagsIn(read(t, "supply/audit"), `for tags in ([^;]+);`); !slices.Equal(lookedUp, built) {
		t.Errorf("%q are looked up, %q are built", lookedUp, built)
	}
}

// tagsIn returns the sets of tags that a pattern finds in a text, each once.
func tagsIn(text, pattern string) []string {
	var tags []string
	for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		tags = append(tags, strings.Fields(found[1])...)
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
