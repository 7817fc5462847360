package params

import "github.com/turncontext/turncontext/plugin/json"

// Object is an object of params, as it is read member by member.
type Object struct {
	node   *node
	fields json.Fields
}

// TurnStart enters the next value, which is to be TurnStartParams.
func (o *Object) TurnStart(r *json.Reader) bool { return o.enter(r, &nodes[turnStartParams]) }

// TurnSteer enters the next value, which is to be TurnSteerParams.
func (o *Object) TurnSteer(r *json.Reader) bool { return o.enter(r, &nodes[turnSteerParams]) }

// enter enters the next value, which is to be an object as n has it.
func (o *Object) enter(r *json.Reader, n *node) bool {
	o.node = n
	if n.closed {
		return r.StrictFields(&o.fields, &n.fields)
	}
	return r.Fields(&o.fields, &n.fields)
}

// Next moves to the next member and returns its index, one of the constants of
// this package; -1 when there is none and the object has been left. The member
// is to be read, or given to Check.
func (o *Object) Next(r *json.Reader) int {
	i := r.Next(&o.fields)
	if i < 0 && o.fields.Lacks(o.node.required) != 0 {
		o.require(r)
	}
	return i
}

// require rejects the object for want of required members.
func (o *Object) require(r *json.Reader) {
	for missing, i := o.fields.Lacks(o.node.required), 0; missing != 0; missing, i = missing>>1, i+1 {
		if missing&1 != 0 {
			r.Require(&o.fields, i)
		}
	}
}

// Check reads the member with that index and checks it against the schema.
func (o *Object) Check(r *json.Reader, index int) {
	var s json.String
	check(r, o.node.types[index], &s)
}

// UserInput is one item of the user's input.
type UserInput struct {
	Variant int // one of the constants of this package, -1 if it is none
	// Strings are its members that are strings, by the constants of this
	// package. One that is absent or null begins at 0.
	Strings [inputStrings]json.String
}

// Read reads the next value, which is to be a UserInput.
func (u *UserInput) Read(r *json.Reader) {
	u.clear(-1)
	if r.Kind() != json.KindObject {
		r.RejectKind(nodes[userInput].kinds.String())
		return
	}
	u.Variant = checkObject(r, &nodes[userInput], &u.Strings)
}

// SetText makes it a text.
func (u *UserInput) SetText(text json.String) {
	u.clear(VariantText)
	u.Strings[InputText] = text
}

// clear makes it an item of that variant without members.
func (u *UserInput) clear(variant int) {
	u.Variant = variant
	// One by one: what clears them all at once costs more.
	u.Strings[0], u.Strings[1], u.Strings[2], u.Strings[3], u.Strings[4] = json.String{}, json.String{}, json.String{}, json.String{}, json.String{}
}

// check reads the next value, into s if it is a string, and checks it against a
// node.
func check(r *json.Reader, which id, s *json.String) {
	if r.Settled() {
		r.Skip()
		return
	}
	n := &nodes[which]
	if n.integer && n.kinds == 1<<json.KindNumber {
		var value int
		r.Integer(&value, 0)
		return
	}
	kind := r.Kind()
	if kind != json.KindNone && !n.kinds.has(kind) {
		r.RejectKind(n.kinds.String())
		return
	}
	switch {
	case which == anything:
		r.Skip()
	case kind == json.KindString && n.enum == nil:
		r.String(s)
	case kind == json.KindString:
		checkString(r, n, s)
	case kind == json.KindNumber && n.integer:
		var value int
		r.Integer(&value, 0)
	case kind == json.KindArray:
		r.Array()
		for r.Item() {
			if kinds := nodes[n.items].simple(); kinds != 0 && r.PassItems(kinds, nil) > 0 ||
				which == textElements && passElements(r) {
				continue
			}
			check(r, n.items, s)
		}
	case kind == json.KindObject && n.fields == nil && n.variants == nil:
		checkMap(r, n)
	case kind == json.KindObject:
		checkObject(r, n, nil)
	default:
		r.Skip()
	}
}

// passElements reads elements, the next one first, as long as they are right and usual, and
// reports whether there is one.
func passElements(r *json.Reader) bool {
	end, n := readElements(r.Text(), r.Offset(), r.Depth()+1)
	if n > 0 {
		r.PassedItems(end, n)
	}
	return n > 0
}

// simple returns the kinds of value of which a node says nothing more.
func (n *node) simple() json.Kinds {
	kinds := json.Kinds(n.kinds) &^ (1<<json.KindArray | 1<<json.KindObject)
	if n.enum != nil {
		kinds &^= 1 << json.KindString
	}
	if n.integer {
		kinds &^= 1 << json.KindNumber
	}
	return kinds
}

// String lists the kinds for a message.
func (k kinds) String() string {
	list := ""
	for kind := json.KindNull; kind <= json.KindObject; kind++ {
		if k.has(kind) {
			list = or(list, kind.String())
		}
	}
	return list
}

// or adds an alternative to a list for a message.
func or(list, alternative string) string {
	if list == "" {
		return alternative
	}
	return list + " or " + alternative
}

// checkString reads a string that is one of a few.
func checkString(r *json.Reader, n *node, s *json.String) {
	if !r.String(s) {
		return
	}
	for _, known := range n.enum {
		if s.Is(r.Text(), known) {
			return
		}
	}
	r.Reject(int(s.Start)-1, unknownValue(s.Bytes(r.Text(), nil), n.enum))
}

// checkMap reads an object whose members have any names.
func checkMap(r *json.Reader, n *node) {
	var names []json.String
	var s json.String
	for more := r.Object() && r.Member(); more; more = r.Member() {
		names = append(names, r.Name())
		check(r, n.values, &s)
	}
	r.Sort(names)
}

// unknownValue is the reason to reject a string that is none of those expected.
func unknownValue(value []byte, expected []string) string {
	list := ""
	for _, e := range expected {
		list = or(list, `"`+e+`"`)
	}
	return "unknown value " + json.Excerpt(value) + ", expected " + list
}

// checkObject reads an object and returns the index of its variant, -1 if there
// is none. If strs is not nil, it gets the strings of a UserInput.
func checkObject(r *json.Reader, n *node, strs *[inputStrings]json.String) int {
	variant := -1
	if n.variants != nil {
		if variant = variantAhead(r, n); variant < 0 {
			checkTag(r, n)
			return -1
		}
		n = &nodes[n.variants[variant]]
	}
	var o Object
	var s json.String
	o.enter(r, n)
	for i := r.Next(&o.fields); i >= 0; i = r.Next(&o.fields) {
		s = json.String{}
		check(r, n.types[i], &s)
		if strs == nil {
			continue
		}
		if at := inputVariants[variant].strings[i]; at >= 0 {
			strs[at] = s
		}
	}
	if o.fields.Lacks(n.required) != 0 {
		o.require(r)
	}
	return variant
}

// tagFields is what an object without a variant has: what names one.
var tagFields = [1]string{"type"}

// variantAhead returns the index of the variant that the next value, an object,
// names, wherever it does so; -1 if it names none.
func variantAhead(r *json.Reader, n *node) int {
	var tag json.String
	if !r.Ahead(&tagFields, &tag) {
		return -1
	}
	for i, v := range n.variants {
		if tag.Is(r.Text(), nodes[v].tag) {
			return i
		}
	}
	return -1
}

// checkTag reads an object that names no variant, and rejects it for that.
func checkTag(r *json.Reader, n *node) {
	var f json.Fields
	var tag json.String
	names := tagFields[:]
	if !r.Fields(&f, &names) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		if r.String(&tag) {
			r.Reject(int(tag.Start)-1, unknownValue(tag.Bytes(r.Text(), nil), tags(n)))
		}
	}
	r.Require(&f, 0)
}

// tags returns the names of a node's variants.
func tags(n *node) []string {
	names := make([]string, len(n.variants))
	for i, v := range n.variants {
		names[i] = nodes[v].tag
	}
	return names
}
