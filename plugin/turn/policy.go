package turn

import "github.com/turncontext/turncontext/plugin/json"

// policy is what the caller wants done otherwise than by default.
type policy struct {
	experimentalAPI bool
}

var defaultPolicy = policy{experimentalAPI: true}

var policyFields = []string{policyExperimentalAPI: "experimentalApi"}

const policyExperimentalAPI = 0

// read reads the next value as a policy; null is the default.
func (p *policy) read(r *json.Reader) {
	*p = defaultPolicy
	var f json.Fields
	if r.Null() || !r.StrictFields(&f, policyFields) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		if r.Null() {
			continue
		}
		switch i {
		case policyExperimentalAPI:
			r.Bool(&p.experimentalAPI)
		}
	}
}
