package everysize

import (
	"fmt"
	"slices"
	"strings"
)

// This file reads what a program declares.

// maxInterval is the largest length of express links.
const maxInterval = 1 << 10

// unknownOnAxes are the names that programs for a family with axes may not use: functions about distances or rings of a mesh or torus.
var unknownOnAxes = []string{"ahead", "crosses_dateline", "distance", "productive", "ring", "works", "wraps"}

// treeFunctions are the functions about the tree.
var treeFunctions = []string{"below", "children", "depth", "parents", "spread"}

// read parses a program for a number of dimensions.
func read(text string, dims int) (*program, error) {
	if len(text) > 1<<16 {
		return nil, fmt.Errorf("more than %d bytes", 1<<16)
	}
	head, rest, err := cutFamily(text)
	if err != nil {
		return nil, err
	}
	p := &program{dims: dims, vcs: 1, states: 1, global: map[string]bool{}}
	if anyNetwork(head) {
		p.kind = "network"
		if dims != 0 {
			return nil, fmt.Errorf("%d dimensions; a program for any network has none", dims)
		}
	} else if dims < 1 || dims > maxDims {
		return nil, fmt.Errorf("%d dimensions; want 1 to %d", dims, maxDims)
	} else if err := p.readFamily(head); err != nil {
		return nil, err
	}
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	if err := p.checkAxes(tokens); err != nil {
		return nil, err
	}
	p.passes = slices.ContainsFunc(tokens, func(t token) bool { return t.kind == nameToken && t.text == "EJECT" })
	if p.kind == "network" {
		p.attributes, p.tables = attributesIn(tokens)
	}
	if p.list, err = parse(rest); err != nil {
		return nil, err
	}
	if err := p.declare(); err != nil {
		return nil, err
	}
	p.spans = p.kind == "network" && p.usesTree(tokens)
	return p, nil
}

// anyNetwork reports whether the line that declares the family is that of programs for any network.
func anyNetwork(line string) bool {
	tokens, err := scan(line)
	var words []string
	for _, t := range tokens {
		if t.kind != lineToken && t.kind != endToken {
			words = append(words, t.text)
		}
	}
	return err == nil && strings.Join(words, " ") == "family = network ( )"
}

// notAttributes are the names after a dot that are no attributes of switches from a file.
var notAttributes = []string{"append", "back", "dir", "id", "name", "number", "port", "prev", "to", "vc"}

// attributesIn returns the attributes of switches that a program reads, and the tables, which have arguments.
func attributesIn(tokens []token) (set, tables map[string]bool) {
	set, tables = map[string]bool{}, map[string]bool{}
	is := func(i int, sign string) bool {
		return i < len(tokens) && tokens[i].text == sign && tokens[i].kind == signToken
	}
	for i := 1; i < len(tokens); i++ {
		if t := tokens[i]; t.kind == nameToken && is(i-1, ".") && !slices.Contains(notAttributes, t.text) {
			if is(i+1, "(") {
				tables[t.text] = true
			} else {
				set[t.text] = true
			}
		}
	}
	return set, tables
}

// cutFamily returns the line that declares the family, and the text without it.
func cutFamily(text string) (head, rest string, err error) {
	count := 0
	for line := range lines(text) {
		if tokens, bad := scan(line); bad == nil && len(tokens) > 2 && tokens[0].text == "family" && tokens[0].kind == nameToken && tokens[1].text == "=" {
			head = line
			count++
			rest += "\n"
			continue
		}
		rest += line
	}
	if count != 1 {
		return "", "", fmt.Errorf("%d lines declare a family; want one, such as family = mesh(n, m)", count)
	}
	return head, rest, nil
}

// lines yields the lines of text with their ends.
func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			line := beforeLine(text)
			line = text[:min(len(line)+1, len(text))]
			text = text[len(line):]
			if !yield(line) {
				return
			}
		}
	}
}

// readFamily reads family = KIND(SIDE, ...).
func (p *program) readFamily(line string) error {
	tokens, err := scan(line)
	if err != nil {
		return err
	}
	wrong := fmt.Errorf("cannot read %.80q; want a family such as mesh(n, m)", beforeLine(line))
	at := 2
	is := func(kind tokenKind, text string) bool {
		return at < len(tokens) && tokens[at].kind == kind && (text == "" || tokens[at].text == text)
	}
	if !is(nameToken, "") {
		return wrong
	}
	p.kind = tokens[at].text
	if at++; !slices.Contains([]string{"mesh", "torus", "ring", "line", "hypercube", "hyperx", hexGrid, brickWall, express}, p.kind) || !is(signToken, "(") {
		return wrong
	}
	for at++; !is(signToken, ")"); {
		star := is(signToken, "*")
		if star {
			at++
		}
		switch {
		case is(nameToken, "wrap") && !star && at+2 < len(tokens) && tokens[at+1].kind == signToken && tokens[at+1].text == "=":
			if at += 2; !is(textToken, "") || !p.readWrap(tokens[at].text) {
				return wrong
			}
		case is(nameToken, "interval") && !star && at+2 < len(tokens) && tokens[at+1].kind == signToken && tokens[at+1].text == "=":
			if at += 2; !is(numberToken, "") || p.interval != 0 || tokens[at].number < 2 || tokens[at].number > maxInterval {
				return wrong
			}
			p.interval = tokens[at].number
		case is(nameToken, "") && (star || p.kind == "hypercube"):
			if p.anyDims != "" || len(p.sides) > 0 {
				return wrong
			}
			p.anyDims = tokens[at].text
		case is(nameToken, ""):
			i := slices.Index(p.names, tokens[at].text)
			if i < 0 {
				i = len(p.names)
				p.names = append(p.names, tokens[at].text)
			}
			p.sides = append(p.sides, side{size: i})
		case is(numberToken, "") && !star && p.kind != "hypercube":
			p.sides = append(p.sides, side{-1, tokens[at].number})
		default:
			return wrong
		}
		if at++; is(signToken, ",") {
			at++
		} else if !is(signToken, ")") {
			return wrong
		}
	}
	if at++; !is(lineToken, "") {
		return wrong
	}
	return p.readSides(wrong)
}

// readWrap reads the letters of the dimensions with wraparound of a torus: x, y, z, then digits.
func (p *program) readWrap(letters string) bool {
	if p.wrap != nil || p.kind != "torus" || p.anyDims != "" {
		return false
	}
	p.wrap = []int{}
	for _, c := range letters {
		d := strings.IndexRune("xyz3456789", c)
		if d < 0 || slices.Contains(p.wrap, d) {
			return false
		}
		p.wrap = append(p.wrap, d)
	}
	return true
}

// readSides completes and judges the sides.
func (p *program) readSides(wrong error) error {
	if p.anyDims != "" {
		if p.kind == "ring" || p.kind == "line" || len(p.sides) > 0 {
			return wrong
		}
		for d := range p.dims {
			if p.kind == "hypercube" {
				p.sides = append(p.sides, side{-1, 2})
				continue
			}
			p.names = append(p.names, fmt.Sprintf("%s[%d]", p.anyDims, d))
			p.sides = append(p.sides, side{size: d})
		}
	} else if p.kind == "hypercube" {
		return wrong
	}
	if p.complete() && slices.ContainsFunc(p.sides, func(s side) bool { return s.size < 0 && s.length < 2 }) {
		return wrong
	}
	if len(p.sides) != p.dims || (p.kind == "ring" || p.kind == "line") && p.dims != 1 {
		return fmt.Errorf("the family has %d dimensions, not %d", len(p.sides), p.dims)
	}
	if p.wrap != nil && (p.anyDims != "" || slices.ContainsFunc(p.wrap, func(d int) bool { return d >= p.dims })) {
		return wrong
	}
	larger := false
	for d, s := range p.sides {
		if s.size < 0 && (s.length < 1 || s.length > 1<<20 || p.rings(d) && s.length < 3) {
			return fmt.Errorf("side %d of a %s", s.length, p.kind)
		}
		larger = larger || s.size >= 0 || s.length > 1
	}
	for _, name := range append([]string{p.anyDims}, p.names...) {
		if reserved[name] {
			return fmt.Errorf("a size is called %s", name)
		}
	}
	if !larger {
		return fmt.Errorf("each network of the family has one switch")
	}
	return p.makeAxes(wrong)
}

// declare reads vcs and states, and the names of the program.
func (p *program) declare() error {
	var route *stmt
	for _, s := range slices.Clone(p.list) {
		names := map[string]bool{}
		bind(names, []*stmt{s})
		for name := range names {
			if p.global[name] || name == "family" {
				return fmt.Errorf("line %d: %s is defined twice", s.line, name)
			}
			p.global[name] = true
		}
		if s.kind == "assign" && s.op != "" {
			return fmt.Errorf("line %d: an assignment to a global name by %s=", s.line, s.op)
		}
		var err error
		switch {
		case s.kind == "def" && s.name == "route":
			route = s
		case s.kind == "def" && s.name == "inject":
			if p.draws = true; len(s.params) != 2 {
				err = fmt.Errorf("line %d: inject has %d parameters", s.line, len(s.params))
			}
		case names["where"]:
			err = p.conditionsOf(s)
		case names["vcs"]:
			p.vcs, err = literal(s, maxVCs)
		case names["states"]:
			p.states, err = literal(s, maxStates)
		case names["route"] || names["inject"]:
			err = fmt.Errorf("line %d: route and inject must be functions", s.line)
		}
		if err != nil {
			return err
		}
	}
	if route != nil && len(route.params) == 5 && p.kind == "network" {
		p.carries = true
	} else if route == nil || len(route.params) != 3 && len(route.params) != 4 {
		return fmt.Errorf("no function route with 3 or 4 parameters")
	}
	p.reads = len(route.params) >= 4
	if p.states > 1 && !p.reads {
		return fmt.Errorf("%d header states, but route has no parameter for them", p.states)
	}
	return nil
}

// literal returns the number of an assignment NAME = NUMBER.
func literal(s *stmt, most int64) (int, error) {
	if s.kind != "assign" || s.target.kind != "name" || s.value.kind != "number" || s.value.number < 1 || s.value.number > most {
		return 0, fmt.Errorf("line %d: want a number from 1 to %d", s.line, most)
	}
	return int(s.value.number), nil
}

// makeAxes sets the axes after the family is read, if it has some.
func (p *program) makeAxes(wrong error) error {
	if (p.interval != 0) != (p.kind == express) {
		return wrong
	}
	if !p.hasAxes() {
		return nil
	}
	if p.anyDims != "" || p.kind != express && p.dims != 2 {
		return wrong
	}
	unit := func(d int, k int64) []int64 {
		v := make([]int64, p.dims)
		v[d] = k
		return v
	}
	for d := range p.dims {
		p.axes = append(p.axes, axis{shift: unit(d, 1)})
	}
	switch p.kind {
	case hexGrid:
		p.axes = append(p.axes, axis{shift: []int64{-1, 1}})
	case brickWall:
		p.axes[1].of, p.axes[1].mod = []int64{1, 1}, 2
	case express:
		for d := range p.dims {
			p.axes = append(p.axes, axis{shift: unit(d, p.interval), of: unit(d, 1), mod: p.interval})
		}
	}
	return nil
}

// checkAxes returns an error if a program for a family with axes uses such a name.
func (p *program) checkAxes(tokens []token) error {
	for _, t := range tokens {
		if p.hasAxes() && t.kind == nameToken && slices.Contains(unknownOnAxes, t.text) {
			return fmt.Errorf("line %d: %s in a program for %s", t.line, t.text, p.kind)
		}
	}
	return nil
}

// usesTree reports whether a program has the name of such a function, and does not define it.
func (p *program) usesTree(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool {
		return t.kind == nameToken && slices.Contains(treeFunctions, t.text) && !p.global[t.text]
	})
}
