package format

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"turnproof/model"
)

// This file reads configuration files of BookSim 2 for the network and the
// routing function that they name:
//
//	// a comment
//	topology = torus; k = 8; n = 2;
//	routing_function = dim_order;
//	num_vcs = 2;
//
// Source: booksim/booksim2, src/config.l and config.y (syntax),
// booksim_config.cpp (defaults), routefunc.cpp and networks/*.cpp (what a
// routing function does). As in BookSim the last of several assignments counts.
// Read are the keys in bookSimKeys; the others say how to simulate, and may be
// those of a fork. A word that is nearly one of ours, and no key of BookSim's,
// is an error.
//
// The routing function is answered only where one of our relations permits the
// same VCs in every state; a relation that is merely similar would have a
// verdict of its own. VCs may be numbered otherwise, which no verdict sees.

// BookSim is what a configuration file says.
type BookSim struct {
	Topology string // mesh, torus or anynet
	K, N     int    // of a mesh or torus: the side of each dimension, and how many there are
	VCs      int    // num_vcs
	Routing  string // routing_function, as the file has it

	// Spec is the network as topo.Parse reads it, for mesh and torus.
	Spec string
	// Network is that of an anynet file, with one VC per channel; else nil.
	Network *model.Network

	// Relation is the routing by route's name, empty for anynet.
	Relation string
	// VCRule and StayOnEscape are route's options of that name.
	VCRule       string
	StayOnEscape bool
	// EscapeVCs is route's option of that name.
	EscapeVCs int
	// Layers, if not nil: each packet chooses one when it enters and keeps to
	// it. A layer has VCs/len(Layers) VCs and the relation with this order of
	// dimensions (route's Order); route.PerLayer joins them.
	Layers [][]int
	// Table is BookSim's routing table, for anynet; else nil. Packets may take
	// any VC of the channel, so that VCs behave as one, and the table has one.
	Table *model.Table
	// Why says in a line why the relation is that of BookSim.
	Why string
}

// bookSimRouting tells which of our relations is a routing function of BookSim.
type bookSimRouting struct {
	topology, name string
	set            func(*BookSim) error // nil: there is none
	why            string               // or why there is none
}

// bookSimRoutings has every routing function that BookSim 2 registers for the
// topologies read here.
var bookSimRoutings = []bookSimRouting{
	{"mesh", "dor", relation("dor"), "dimension order, x first, any VC"},
	{"mesh", "dim_order", relation("dor"), "dimension order, x first, any VC"},
	{"mesh", "dim_order_ni", nil, "each destination has VCs of its own"},
	{"mesh", "dim_order_pni", nil, "each coordinate of the destination has VCs of its own"},
	{"mesh", "xy_yx", xyYX, "x first on the lower half of the VCs or last dimension first on the upper, chosen at the source"},
	{"mesh", "adaptive_xy_yx", xyYX, "x first on the lower half of the VCs or last dimension first on the upper, chosen at the source (by credits, which makes no difference to what may happen)"},
	{"mesh", "romm", nil, "packets go by way of a random switch between source and destination"},
	{"mesh", "romm_ni", nil, "packets go by way of a random switch, and each destination has VCs of its own"},
	{"mesh", "min_adapt", minAdaptMesh, "Duato's protocol; a packet on the escape VC stays there. The escape is VC 0 in BookSim and the last VC here"},
	{"mesh", "planar_adapt", nil, "planar adaptive routing (Chien and Kim, 1992) is not among ours"},
	{"mesh", "valiant", nil, "packets go by way of a random switch"},
	{"mesh", "chaos", nil, "chaos routing drops minimality and needs a router of its own, which BookSim 2 cannot start"},
	{"torus", "dim_order", booksimTorus("entry"), "dimension order, the half of the VCs fixed on entering each dimension, both ways round at distance k/2"},
	{"torus", "dim_order_bal", booksimTorus("balanced"), "dimension order, two datelines, the half of the VCs fixed on entering each dimension, both ways round at distance k/2"},
	{"torus", "dim_order_ni", nil, "each destination has VCs of its own"},
	{"torus", "min_adapt", nil, "its escape keeps the half of the VCs that was fixed on entering a dimension, and its adaptive hops use VC 3 alone; our duato chooses the half by the place and uses all other VCs"},
	{"torus", "valiant", nil, "packets go by way of a random switch"},
	{"torus", "valiant_ni", nil, "packets go by way of a random switch, and each destination has VCs of its own"},
	{"torus", "chaos", nil, "chaos routing drops minimality and needs a router of its own, which BookSim 2 cannot start"},
	{"anynet", "min", func(*BookSim) error { return nil }, "BookSim's own table: one shortest path by latency for each router and node, any VC"},
}

func relation(name string) func(*BookSim) error {
	return func(b *BookSim) error { b.Relation = name; return nil }
}

func xyYX(b *BookSim) error {
	if b.VCs < 2 || b.VCs%2 == 1 {
		return fmt.Errorf("%s with num_vcs = %d: read is an even number; with an odd one the halves overlap in BookSim, and packets change from one order to the other", b.Routing, b.VCs)
	}
	b.Relation = "dor"
	up := make([]int, b.N)
	for d := range up {
		up[d] = d
	}
	down := slices.Clone(up)
	slices.Reverse(down)
	b.Layers = [][]int{up, down}
	return nil
}

func minAdaptMesh(b *BookSim) error {
	if b.VCs < 2 {
		return fmt.Errorf("min_adapt with num_vcs = %d: it needs 2, one of them for the escape", b.VCs)
	}
	b.Relation, b.EscapeVCs, b.StayOnEscape = "duato", 1, true
	return nil
}

func booksimTorus(rule string) func(*BookSim) error {
	return func(b *BookSim) error {
		if b.VCs < 2 {
			return fmt.Errorf("%s on a torus with num_vcs = %d: BookSim needs 2", b.Routing, b.VCs)
		}
		b.Relation, b.VCRule = "dor-booksim", rule
		return nil
	}
}

// bookSimTopologies are those that BookSim 2 has and that are not read here.
var bookSimTopologies = []string{"cmesh", "dragonflynew", "fattree", "flatfly", "fly", "qtree", "tree4"}

// bookSimKeys are the keys that are read, whether they hold a word (else a
// whole number), and BookSim's default.
var bookSimKeys = []struct {
	name  string
	word  bool
	value string
}{
	{"topology", true, "torus"},
	{"routing_function", true, "none"},
	{"network_file", true, ""},
	{"k", false, "8"},
	{"n", false, "2"},
	{"num_vcs", false, "16"},
	{"link_failures", false, "0"},
	{"use_read_write", false, "0"},
}

// maxBookSim bounds a configuration file.
const maxBookSim = 1 << 20

// IsBookSimConfig reports whether a file looks like a configuration of
// BookSim's: its first statement is KEY = VALUE; with a semicolon. It does not
// read standard input.
func IsBookSimConfig(path string) bool {
	if path == "-" {
		return false
	}
	src, err := open(path, Options{})
	if err != nil {
		return false
	}
	defer src.close()
	head, _ := src.r.Peek(lineSize)
	return isBookSim(head)
}

func isBookSim(head []byte) bool {
	s := bookSimScanner{src: &lines{}, text: string(head), line: 1}
	var kinds [4]bookSimToken
	for i := range kinds {
		var err error
		if kinds[i], err = s.next(); err != nil {
			return false
		}
	}
	return kinds[0].kind == bookSimWord && kinds[1].text == "=" && kinds[2].kind != bookSimPunct && kinds[3].text == ";"
}

// ReadBookSimConfig reads a configuration file and, for topology anynet, the
// network_file that it names, relative to the configuration's folder (BookSim's
// own working directory is tried after that). The notes say what was read
// otherwise than a user may expect.
func ReadBookSimConfig(path string, o Options) (*BookSim, []string, error) {
	src, err := open(path, o)
	if err != nil {
		return nil, nil, err
	}
	defer src.close()
	return readBookSim(src, o)
}

func readBookSim(src *lines, o Options) (*BookSim, []string, error) {
	text, err := io.ReadAll(io.LimitReader(src.r, maxBookSim+1))
	if err != nil {
		return nil, nil, src.wrap(0, err)
	}
	if len(text) > maxBookSim {
		return nil, nil, src.wholef("a configuration of more than %d bytes", maxBookSim)
	}
	c := &bookSimConfig{src: src, value: map[string]string{}, line: map[string]int{}}
	if err := c.parse(string(text)); err != nil {
		return nil, nil, err
	}
	src.err = io.EOF
	if err := src.end(); err != nil {
		return nil, nil, err
	}
	return c.answer(o)
}

// bookSimConfig holds the assignments of the keys that are read.
type bookSimConfig struct {
	src   *lines
	value map[string]string
	line  map[string]int
	notes []string
}

// parse reads the assignments.
func (c *bookSimConfig) parse(text string) error {
	for _, k := range bookSimKeys {
		c.value[k.name] = k.value
	}
	s := &bookSimScanner{src: c.src, text: text, line: 1}
	found := false
	for {
		key, err := s.next()
		if err != nil {
			return err
		}
		if key.kind == bookSimEnd {
			break
		}
		value, err := s.assignment(key)
		if err != nil {
			return err
		}
		found = true
		if err := c.assign(key, value); err != nil {
			return err
		}
	}
	if !found {
		return c.src.wholef("no KEY = VALUE; in it")
	}
	return nil
}

// assignment reads "= VALUE ;" behind a key.
func (s *bookSimScanner) assignment(key bookSimToken) (value bookSimToken, err error) {
	if key.kind != bookSimWord {
		return value, s.want("a key", key)
	}
	is, err := s.next()
	if err == nil && is.text != "=" {
		err = s.want("= behind "+string(clip([]byte(key.text))), is)
	}
	if err != nil {
		return value, err
	}
	if value, err = s.next(); err == nil && (value.kind == bookSimPunct || value.kind == bookSimEnd) {
		err = s.want("a value of "+string(clip([]byte(key.text))), value)
	}
	if err != nil {
		return value, err
	}
	end, err := s.next()
	if err == nil && end.text != ";" {
		err = s.want("; behind the value of "+string(clip([]byte(key.text))), end)
	}
	return value, err
}

func (c *bookSimConfig) assign(key, value bookSimToken) error {
	for _, k := range bookSimKeys {
		if k.name != key.text {
			continue
		}
		if k.word != (value.kind == bookSimWord) || value.kind == bookSimFloat {
			return &Error{File: c.src.name, Line: key.line, Msg: fmt.Sprintf("%s = %s: want %s", k.name, clip([]byte(value.text)), map[bool]string{true: "a word", false: "a whole number"}[k.word])}
		}
		c.value[k.name], c.line[k.name] = value.text, key.line
		return nil
	}
	for _, k := range bookSimKeys {
		if len(k.name) > 3 && nearly(key.text, k.name) {
			return &Error{File: c.src.name, Line: key.line, Msg: fmt.Sprintf("unknown key %q, did you mean %s?", clip([]byte(key.text)), k.name)}
		}
	}
	return nil
}

// nearly reports whether two words differ by one letter more, less, other, or
// two exchanged, upper and lower case being one.
func nearly(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(b)-len(a) == 1:
		return a[i:] == b[i+1:]
	case len(a) != len(b):
		return false
	case i == len(a) || a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func (c *bookSimConfig) fault(key, format string, a ...any) error {
	return &Error{File: c.src.name, Line: c.line[key], Msg: fmt.Sprintf(format, a...)}
}

// number returns a whole number within the range.
func (c *bookSimConfig) number(key string, low, high int) (int, error) {
	v, err := strconv.Atoi(c.value[key])
	if err != nil || v < low || v > high {
		return 0, c.fault(key, "%s = %s, allowed are %d to %d", key, clip([]byte(c.value[key])), low, high)
	}
	return v, nil
}

// answer makes the network and finds the relation.
func (c *bookSimConfig) answer(o Options) (*BookSim, []string, error) {
	b := &BookSim{Topology: c.value["topology"], Routing: c.value["routing_function"]}
	routing, err := c.routing(b)
	if err != nil {
		return nil, nil, err
	}
	if b.VCs, err = c.number("num_vcs", 1, model.MaxVCs); err != nil {
		return nil, nil, err
	}
	if c.line["num_vcs"] == 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s: num_vcs is not given, BookSim's default is %d", base(c.src.name), b.VCs))
	}
	for _, k := range [][2]string{{"link_failures", "its random faults depend on BookSim's random numbers"}, {"use_read_write", "each type of message then has VCs of its own"}} {
		if v := c.value[k[0]]; v != "0" {
			return nil, nil, c.fault(k[0], "%s = %s is not read, 0 is: %s", k[0], clip([]byte(v)), k[1])
		}
	}
	if b.Topology == "anynet" {
		err = c.anynet(b, o)
	} else {
		err = c.grid(b)
	}
	if err != nil {
		return nil, nil, err
	}
	if err := routing.set(b); err != nil {
		return nil, nil, c.fault("num_vcs", "%s", err)
	}
	b.Why = routing.why
	return b, c.notes, nil
}

// routing finds the routing function in the table.
func (c *bookSimConfig) routing(b *BookSim) (bookSimRouting, error) {
	known := strings.Join(bookSimKnown(b.Topology), ", ")
	switch {
	case known == "" && slices.Contains(bookSimTopologies, b.Topology):
		return bookSimRouting{}, c.fault("topology", "topology = %s is not read, supported are mesh, torus and anynet", b.Topology)
	case known == "":
		return bookSimRouting{}, c.fault("topology", "topology = %s is none of BookSim 2's; supported are mesh, torus and anynet", clip([]byte(b.Topology)))
	case b.Routing == "none":
		return bookSimRouting{}, c.fault("routing_function", "no routing_function is given; known for topology %s: %s", b.Topology, known)
	}
	for _, r := range bookSimRoutings {
		switch {
		case r.topology != b.Topology || r.name != b.Routing:
		case r.set == nil:
			return r, c.fault("routing_function", "routing_function = %s with topology %s has no counterpart here: %s; known: %s", r.name, r.topology, r.why, known)
		default:
			return r, nil
		}
	}
	return bookSimRouting{}, c.fault("routing_function", "routing_function = %s is none that BookSim 2 has for topology %s; known: %s", clip([]byte(b.Routing)), b.Topology, known)
}

// bookSimKnown lists the routing functions of a topology that have a relation.
func bookSimKnown(topology string) (names []string) {
	for _, r := range bookSimRoutings {
		if r.topology == topology && r.set != nil {
			names = append(names, r.name)
		}
	}
	return names
}

// grid makes the spec of a mesh or torus: side k in each of n dimensions.
func (c *bookSimConfig) grid(b *BookSim) (err error) {
	if b.K, err = c.number("k", 1, 1<<20); err != nil {
		return err
	}
	if b.N, err = c.number("n", 1, 20); err != nil {
		return err
	}
	b.Spec = fmt.Sprintf("%s:%s,vcs=%d", b.Topology, strings.TrimSuffix(strings.Repeat(strconv.Itoa(b.K)+"x", b.N), "x"), b.VCs)
	return nil
}

// anynet reads the network file.
func (c *bookSimConfig) anynet(b *BookSim, o Options) error {
	name := c.value["network_file"]
	if name == "" {
		return c.fault("network_file", "topology = anynet needs a network_file")
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(c.src.name), name)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			if _, err := os.Stat(name); err == nil {
				c.notes = append(c.notes, fmt.Sprintf("%s: network_file %s is not in the folder of the configuration: that of the working directory is read", base(c.src.name), name))
				path = name
			}
		}
	}
	src, err := open(path, o)
	if err != nil {
		return fmt.Errorf("%w (network_file of %s)", err, c.src.name)
	}
	defer src.close()
	a, err := parseAnynet(src)
	if err != nil {
		return err
	}
	if b.Network, err = a.network(); err != nil {
		return err
	}
	c.notes = append(c.notes, a.notes()...)
	b.Table, err = a.table(b.Network)
	return err
}

// bookSimToken is a token of the syntax.
type bookSimToken struct {
	kind bookSimKind
	text string
	line int
}

type bookSimKind uint8

const (
	bookSimEnd bookSimKind = iota
	bookSimWord
	bookSimInt
	bookSimFloat
	bookSimPunct
)

// bookSimScanner cuts a configuration into tokens as config.l does.
type bookSimScanner struct {
	src  *lines
	text string
	line int
}

func (s *bookSimScanner) want(what string, got bookSimToken) error {
	text := fmt.Sprintf("got %q", clip([]byte(got.text)))
	if got.kind == bookSimEnd {
		text = "but the file ends: is it cut off?"
	}
	return &Error{File: s.src.name, Line: got.line, Msg: fmt.Sprintf("want %s, %s", what, text)}
}

const (
	bookSimLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-/."
	bookSimDigits  = "0123456789"
)

func (s *bookSimScanner) next() (bookSimToken, error) {
	for {
		blank := len(s.text) - len(strings.TrimLeft(s.text, " \t\r\n"))
		s.line += strings.Count(s.text[:blank], "\n")
		s.text = s.text[blank:]
		if !strings.HasPrefix(s.text, "//") {
			break
		}
		_, rest, more := strings.Cut(s.text, "\n")
		if s.text = rest; more {
			s.line++
		}
	}
	if s.text == "" {
		return bookSimToken{line: s.line}, nil
	}
	kind, length := s.longest()
	t := bookSimToken{kind, s.text[:length], s.line}
	s.text = s.text[length:]
	if t.kind == bookSimPunct && t.text != "=" && t.text != ";" {
		return t, &Error{File: s.src.name, Line: s.line, Msg: fmt.Sprintf("%q is no part of a BookSim configuration here", clip([]byte(t.text)))}
	}
	return t, nil
}

// longest returns the longest token at the front of the text.
func (s *bookSimScanner) longest() (bookSimKind, int) {
	span := func(i int, set string) int {
		for i < len(s.text) && strings.IndexByte(set, s.text[i]) >= 0 {
			i++
		}
		return i
	}
	kind, length := bookSimPunct, 1
	if s.text[0] == '{' {
		if i := strings.IndexAny(s.text, ";\n"); i > 0 && strings.LastIndexByte(s.text[:i], '}') > 1 {
			return bookSimWord, strings.LastIndexByte(s.text[:i], '}') + 1
		}
	}
	if strings.IndexByte(bookSimLetters, s.text[0]) >= 0 {
		kind, length = bookSimWord, span(1, bookSimLetters+bookSimDigits+"+({,)}")
	}
	sign := 0
	if s.text[0] == '-' {
		sign = 1
	}
	whole := span(sign, bookSimDigits)
	end := whole
	if end < len(s.text) && s.text[end] == '.' && span(end+1, bookSimDigits) > end+1 {
		end = span(end+1, bookSimDigits)
	}
	if end > sign && end+1 < len(s.text) && strings.IndexByte("eE", s.text[end]) >= 0 {
		i := end + 1
		if strings.IndexByte("+-", s.text[i]) >= 0 {
			i++
		}
		if j := span(i, bookSimDigits); j > i {
			end = j
		}
	}
	switch {
	case end > whole && end >= length:
		return bookSimFloat, end
	case whole > sign && whole >= length:
		return bookSimInt, whole
	}
	return kind, length
}
