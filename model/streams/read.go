package streams

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file reads the neutral format of problems, which is YAML or JSON:
//
//	flow-problem: 1
//	resources: {arbiter: 0, ta: 2, tb: 2, ra: 4, rb: 4}  # words; 0: an arbiter or a link
//	counters: {full: 0}                                  # first values
//	routes:
//	  a: [ta, arbiter, ra]
//	  b: [tb, arbiter, [link, rb], [rc]]                 # lists at the end are branches
//	  h: [tb, arbiter, {drop 1: ra}]                     # the end drops the first word
//	agents:
//	  core: [acquire full, release full 2]
//	  dma:
//	  - repeat 3: [send a 64]
//	  - take rb 64 of b
//	  clerk: {optional: [take ra 64]}                    # need not end its program
//	  printer:                                           # has no end
//	  - forever: [take rc 1, release full]
//	packets:                                             # a short form, see packets.go
//	- {name: c, path: [ta, arbiter, ra], words: 64, after: [d]}
//
// An action is a text of words, or a list, for names with spaces: [send, "a 1", 64].

// marker is the first key of the format.
const marker = "flow-problem"

var isMarked = regexp.MustCompile(`(?m)^\s*\{?\s*"?flow-problem"?\s*:`)

// Is reports whether a text looks like a problem in the neutral format.
func Is(text string) bool { return isMarked.MatchString(text) }

// reader reads one file.
type reader struct {
	file      string
	p         *Problem
	resources map[string]int
	counters  map[string]int
	routes    map[string]int
	agents    map[string]bool
	paths     Paths // nil without a network
	buffer    int   // words of each buffer of the network
}

func (r *reader) errorf(line int, format string, args ...any) error {
	at := r.file
	if line > 0 {
		at = fmt.Sprintf("%s:%d", r.file, line)
	}
	return fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))
}

// Read reads a problem in the neutral format.
func Read(text, file string) (*Problem, error) { return ReadOn(text, file, nil) }

// ReadOn reads a problem whose packets may go between hosts of a network, by the paths that a function returns.
func ReadOn(text, file string, paths Paths) (*Problem, error) {
	r := &reader{file: file, p: &Problem{Name: file}, resources: map[string]int{}, counters: map[string]int{}, routes: map[string]int{},
		agents: map[string]bool{}, paths: paths, buffer: defaultBuffer}
	docs, err := yamldoc.Parse([]byte(text))
	if err != nil {
		return nil, r.foreign(err)
	}
	if len(docs) != 1 {
		return nil, r.errorf(0, "%d documents; want one", len(docs))
	}
	parts, err := r.parts(docs[0])
	if err != nil {
		return nil, err
	}
	for _, x := range []struct {
		name string
		read func(yamldoc.Value) error
	}{{marker, r.version}, {"buffer", r.readBuffer}, {"resources", r.numbers(r.addResource)}, {"counters", r.numbers(r.addCounter)}, {"routes", r.readRoutes},
		{"packets", r.readPackets}, {"agents", r.readAgents}} {
		if v, ok := parts[x.name]; ok {
			if err := x.read(v); err != nil {
				return nil, err
			}
		}
	}
	if err := r.p.Validate(); err != nil {
		return nil, r.errorf(0, "%v", err)
	}
	return r.p, nil
}

func (r *reader) foreign(err error) error {
	if e, ok := err.(*yamldoc.Error); ok {
		return r.errorf(e.Line, "%s", e.Msg)
	}
	return r.errorf(0, "%v", err)
}

// parts returns the values of the document by their keys.
func (r *reader) parts(doc yamldoc.Value) (map[string]yamldoc.Value, error) {
	pairs, ok := doc.Pairs()
	if !ok {
		return nil, r.errorf(doc.Line(), "want a mapping with the keys %s, resources, counters, routes, agents, packets", marker)
	}
	parts := map[string]yamldoc.Value{}
	for _, x := range pairs {
		switch x.Key {
		case marker, "buffer", "resources", "counters", "routes", "agents", "packets":
		case "name":
			if text, ok := x.Value.Scalar(); ok {
				r.p.Name = text
			}
			continue
		default:
			return nil, r.errorf(x.Line, "unknown key %.60q; want %s, name, buffer, resources, counters, routes, agents or packets", x.Key, marker)
		}
		if _, twice := parts[x.Key]; twice {
			return nil, r.errorf(x.Line, "%s is there twice", x.Key)
		}
		parts[x.Key] = x.Value
	}
	if _, ok := parts[marker]; !ok {
		return nil, r.errorf(doc.Line(), "the key %s is missing", marker)
	}
	return parts, nil
}

func (r *reader) version(v yamldoc.Value) error {
	if n, _ := v.Number(); n != "1" {
		return r.errorf(v.Line(), "%s: only version 1 is known", marker)
	}
	return nil
}

// numbers reads a mapping of names to numbers.
func (r *reader) numbers(add func(name string, n int) bool) func(yamldoc.Value) error {
	return func(v yamldoc.Value) error {
		pairs, ok := v.Pairs()
		if !ok && !v.Null() {
			return r.errorf(v.Line(), "want a mapping of names to numbers")
		}
		for _, x := range pairs {
			n, err := r.number(x.Value)
			if err != nil {
				return err
			}
			if !add(x.Key, n) {
				return r.errorf(x.Line, "%.60q is there twice", x.Key)
			}
		}
		return nil
	}
}

func (r *reader) number(v yamldoc.Value) (int, error) {
	text, _ := v.Scalar()
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > MostWords {
		return 0, r.errorf(v.Line(), "%.60q is no number from 0 to %d", text, MostWords)
	}
	return n, nil
}

func (r *reader) addResource(name string, n int) bool {
	_, twice := r.resources[name]
	r.resources[name] = len(r.p.Resources)
	r.p.Resources = append(r.p.Resources, Resource{name, n})
	return !twice
}

func (r *reader) addCounter(name string, n int) bool {
	_, twice := r.counters[name]
	r.counters[name] = len(r.p.Counters)
	r.p.Counters = append(r.p.Counters, Counter{name, n})
	return !twice
}

func (r *reader) readRoutes(v yamldoc.Value) error {
	pairs, ok := v.Pairs()
	if !ok && !v.Null() {
		return r.errorf(v.Line(), "want a mapping of names to lists of resources")
	}
	for _, x := range pairs {
		if _, err := r.addRoute(x.Key, x.Line, x.Value); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) addRoute(name string, line int, v yamldoc.Value) (int, error) {
	if _, twice := r.routes[name]; twice {
		return 0, r.errorf(line, "route %.60q is there twice", name)
	}
	route := Route{Name: name}
	if err := r.path(&route, v, -1); err != nil {
		return 0, err
	}
	r.routes[name] = len(r.p.Routes)
	r.p.Routes = append(r.p.Routes, route)
	return r.routes[name], nil
}

// path adds the resources of a list behind a node. Lists at its end are branches.
func (r *reader) path(route *Route, v yamldoc.Value, parent int) error {
	list, ok := v.List()
	if !ok || len(list) == 0 {
		return r.errorf(v.Line(), "want a list of resources")
	}
	branches := false
	for _, x := range list {
		if _, branch := x.List(); branch {
			branches = true
			if err := r.path(route, x, parent); err != nil {
				return err
			}
			continue
		}
		name, _ := x.Scalar()
		drop, err := 0, error(nil)
		if pair, ok := x.Pairs(); ok && len(pair) == 1 && strings.HasPrefix(pair[0].Key, "drop ") {
			name, _ = pair[0].Value.Scalar()
			if drop, err = strconv.Atoi(pair[0].Key[len("drop "):]); err != nil || drop < 0 || drop > MostWords {
				return r.errorf(x.Line(), "%.60q: want drop N, with N up to %d", pair[0].Key, MostWords)
			}
		}
		at, ok := r.resources[name]
		if !ok || branches {
			return r.errorf(x.Line(), "%.60q is no resource, or comes behind a branch", name)
		}
		if len(route.Nodes) == MostObjects {
			return r.errorf(x.Line(), "a route of more than %d resources", MostObjects)
		}
		route.Nodes = append(route.Nodes, Node{at, parent, drop})
		parent = len(route.Nodes) - 1
	}
	return nil
}

func (r *reader) readAgents(v yamldoc.Value) error {
	pairs, ok := v.Pairs()
	if !ok && !v.Null() {
		return r.errorf(v.Line(), "want a mapping of names to programs")
	}
	for _, x := range pairs {
		list, optional := x.Value, false
		if inner, ok := list.Pairs(); ok && len(inner) == 1 && inner[0].Key == "optional" {
			list, optional = inner[0].Value, true
		}
		program, err := r.program(list)
		if err != nil {
			return err
		}
		if err := r.addAgent(x.Key, x.Line, program); err != nil {
			return err
		}
		if optional {
			r.p.Agents[len(r.p.Agents)-1].Required = false
		}
	}
	return nil
}

func (r *reader) addAgent(name string, line int, program []Action) error {
	if r.agents[name] {
		return r.errorf(line, "agent %.60q is there twice", name)
	}
	r.agents[name] = true
	required := true
	for _, x := range program {
		required = required && (x.Kind != Repeat || x.Amount > 0)
	}
	r.p.Agents = append(r.p.Agents, Agent{name, required, program})
	return nil
}

func (r *reader) program(v yamldoc.Value) (program []Action, err error) {
	list, ok := v.List()
	if !ok {
		return nil, r.errorf(v.Line(), "want a list of actions")
	}
	for _, x := range list {
		more, err := r.action(x)
		if err != nil {
			return nil, err
		}
		if program = append(program, more...); len(program) > mostActions {
			return nil, r.errorf(x.Line(), "a program of more than %d actions", mostActions)
		}
	}
	return program, nil
}

// action reads an action or a loop.
func (r *reader) action(v yamldoc.Value) ([]Action, error) {
	if pairs, ok := v.Pairs(); ok {
		return r.loop(v, pairs)
	}
	var words []string
	if list, ok := v.List(); ok {
		for _, x := range list {
			word, _ := x.Scalar()
			words = append(words, word)
		}
	} else {
		text, _ := v.Scalar()
		words = strings.Fields(text)
	}
	x, err := r.parse(words)
	if err != nil {
		return nil, r.errorf(v.Line(), "%v", err)
	}
	return []Action{x}, nil
}

func (r *reader) loop(v yamldoc.Value, pairs []yamldoc.Pair) ([]Action, error) {
	if len(pairs) != 1 {
		return nil, r.errorf(v.Line(), "want one loop, repeat N: [...] or forever: [...]")
	}
	times := 0
	if pairs[0].Key != "forever" {
		n, err := strconv.Atoi(strings.TrimPrefix(pairs[0].Key, "repeat "))
		if err != nil || n < 1 || n > MostWords || !strings.HasPrefix(pairs[0].Key, "repeat ") {
			return nil, r.errorf(pairs[0].Line, "%.60q: want repeat N, with N from 1 to %d, or forever", pairs[0].Key, MostWords)
		}
		times = n
	}
	body, err := r.program(pairs[0].Value)
	if err != nil {
		return nil, err
	}
	return append([]Action{{Kind: Repeat, Object: len(body), Amount: times}}, body...), nil
}

// parse reads the words of an action.
func (r *reader) parse(words []string) (Action, error) {
	usage := fmt.Errorf("%.80q: want send ROUTE WORDS, take BUFFER WORDS [of ROUTE], acquire COUNTER [N] or release COUNTER [N]", strings.Join(words, " "))
	if len(words) < 2 {
		return Action{}, usage
	}
	x := Action{Amount: 1}
	names := map[string]map[string]int{"send": r.routes, "take": r.resources, "acquire": r.counters, "release": r.counters}[words[0]]
	if names == nil {
		return Action{}, usage
	}
	x.Kind = map[string]Kind{"send": Send, "take": Take, "acquire": Acquire, "release": Release}[words[0]]
	at, ok := names[words[1]]
	if !ok {
		what := map[Kind]string{Send: "route", Take: "buffer", Acquire: "counter", Release: "counter"}[x.Kind]
		return Action{}, fmt.Errorf("%s: there is no %s %.60q", words[0], what, words[1])
	}
	x.Object = at
	rest := words[2:]
	if len(rest) > 0 {
		n, err := strconv.Atoi(rest[0])
		if err != nil || n < 1 || n > MostWords {
			return Action{}, usage
		}
		x.Amount, rest = n, rest[1:]
	} else if x.Kind == Send || x.Kind == Take {
		return Action{}, usage
	}
	if x.Kind == Take {
		x.Route = -1
		if len(rest) == 2 && rest[0] == "of" {
			if x.Route, ok = r.routes[rest[1]]; !ok {
				return Action{}, fmt.Errorf("take: there is no route %.60q", rest[1])
			}
			rest = nil
		}
	}
	if len(rest) > 0 {
		return Action{}, usage
	}
	return x, nil
}
