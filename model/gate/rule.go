package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file is a rule, its words, and how it is read from text.

// Place is where gates are.
type Place string

// The places.
const (
	Turns     Place = "turn"      // from one dimension to another
	Injection Place = "injection" // from the host
	Both      Place = "both"
)

// Places returns all values of Place.
func Places() []Place {
	return []Place{Turns, Injection, Both}
}

// Unit is what a closed gate holds back.
type Unit string

// The units.
const (
	// Flit: every flit is held back, also in the middle of a packet, which then keeps
	// the VC beyond the gate.
	Flit Unit = "flit"
	// Packet: a packet that has begun to pass goes on.
	Packet Unit = "packet"
)

// Units returns all values of Unit. The unit of the paper is first.
func Units() []Unit {
	return []Unit{Flit, Packet}
}

// VCs is which VC's bits close the gate before a VC.
type VCs string

// The readings.
const (
	Own VCs = "own" // its own
	Any VCs = "any" // a bit is set if it is for one VC at least
	All VCs = "all" // if it is for all of them
)

// Readings returns all values of VCs, the default first.
func Readings() []VCs {
	return []VCs{Own, Any, All}
}

// Buffer is which slots of a buffer count as taken.
type Buffer string

// The readings.
const (
	Stored   Buffer = "stored"   // those of flits that are there
	Reserved Buffer = "reserved" // all of a packet's, from its head's arrival to its tail's leaving
)

// Buffers returns all values of Buffer, the default first.
func Buffers() []Buffer {
	return []Buffer{Stored, Reserved}
}

// Rule is a gating rule. The zero value has no gates; DefaultRule has the
// paper's where it says one.
type Rule struct {
	Place     Place
	Func      Func
	Level     int    // a buffer with at most so many free slots is nearly full
	Hops      int    // how many buffers VCinfo tells of, the next one among them
	Unit      Unit   //
	VCs       VCs    //
	Buffer    Buffer //
	Exempt    bool   // hops onto the escape have no gate
	WithinRow bool   // VCinfo ends before a wraparound channel, and after it
}

// DefaultRule is f1 at level 0, flit by flit. Of what the paper leaves open: the sums
// run from 0 to 16 as printed, 17 bits, and a VC is judged by its own.
func DefaultRule(p Place) Rule {
	return Rule{Place: p, Func: Functions()[0], Hops: 17, Unit: Flit, VCs: Own, Buffer: Stored}
}

// keys are the words that may follow a place.
var keys = []struct {
	name, about string
	set         func(r *Rule, value string) error
	text        func(r *Rule) string
}{
	{"f", "evaluation function: f1, f2, f3 or f4, or f1:M>T, f2:A>T, f3:A>T, f4:M>T", func(r *Rule, v string) (err error) { r.Func, err = ParseFunc(v); return err }, func(r *Rule) string { return r.Func.String() }},
	{"level", "occupancy level, in flits", func(r *Rule, v string) (err error) { r.Level, err = within(v, 0, 1<<14); return err }, func(r *Rule) string { return strconv.Itoa(r.Level) }},
	{"hops", "how many buffers VCinfo tells of, 1 to 20", func(r *Rule, v string) (err error) { r.Hops, err = within(v, 1, maxHops); return err }, func(r *Rule) string { return strconv.Itoa(r.Hops) }},
	{"unit", "what is held back: flit or packet", func(r *Rule, v string) error { return word(&r.Unit, v, Units()) }, func(r *Rule) string { return string(r.Unit) }},
	{"vcs", "whose bits close a gate: own, any or all VCs", func(r *Rule, v string) error { return word(&r.VCs, v, Readings()) }, func(r *Rule) string { return string(r.VCs) }},
	{"buffer", "which slots are taken: stored or reserved", func(r *Rule, v string) error { return word(&r.Buffer, v, Buffers()) }, func(r *Rule) string { return string(r.Buffer) }},
	{"exempt", "escape: hops onto the escape have no gate; none", func(r *Rule, v string) error { return flag(&r.Exempt, v, "escape", "none") }, func(r *Rule) string { return flagText(r.Exempt, "escape", "none") }},
	{"within", "row: VCinfo ends at a wraparound channel; ring", func(r *Rule, v string) error { return flag(&r.WithinRow, v, "row", "ring") }, func(r *Rule) string { return flagText(r.WithinRow, "row", "ring") }},
}

// Keys returns the keys that a rule may have, with what each means.
func Keys() (list [][2]string) {
	for _, k := range keys {
		list = append(list, [2]string{k.name, k.about})
	}
	return list
}

// Parse reads PLACE[,KEY=VALUE...], as turn,f=f4,level=8. What is not given is
// as in DefaultRule.
func Parse(text string) (Rule, error) {
	items := strings.Split(text, ",")
	r := DefaultRule(Place(items[0]))
	if !slices.Contains(Places(), r.Place) {
		return r, fmt.Errorf("gate: %q: the places of gates are %s", items[0], join(Places()))
	}
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	seen := map[string]bool{}
	for _, item := range items[1:] {
		name, value, _ := strings.Cut(item, "=")
		i := slices.Index(names, name)
		switch {
		case i < 0:
			return r, fmt.Errorf("gate: no key %q%s, known are %s", name, spelling.Suggest(name, names), strings.Join(names, ", "))
		case seen[name]:
			return r, fmt.Errorf("gate: %s is given twice", name)
		}
		seen[name] = true
		if err := keys[i].set(&r, value); err != nil {
			return r, fmt.Errorf("gate: %s is %q: %w", name, value, err)
		}
	}
	return r, nil
}

// String is the text that Parse reads, without what is as in DefaultRule.
func (r Rule) String() string {
	def := DefaultRule(r.Place)
	text := string(r.Place)
	for _, k := range keys {
		if v := k.text(&r); v != k.text(&def) || k.name == "f" || k.name == "level" {
			text += "," + k.name + "=" + v
		}
	}
	return text
}

func within(value string, least, most int) (int, error) {
	k, err := strconv.Atoi(value)
	if err != nil || k < least || k > most {
		return 0, fmt.Errorf("a number from %d to %d was expected", least, most)
	}
	return k, nil
}

func word[T ~string](to *T, value string, known []T) error {
	if *to = T(value); !slices.Contains(known, *to) {
		return fmt.Errorf("%s was expected", join(known))
	}
	return nil
}

func flag(to *bool, value, yes, no string) error {
	if *to = value == yes; !*to && value != no {
		return fmt.Errorf("%s or %s was expected", yes, no)
	}
	return nil
}

func flagText(set bool, yes, no string) string {
	if set {
		return yes
	}
	return no
}

func join[T ~string](list []T) string {
	text := make([]string, len(list))
	for i, w := range list {
		text[i] = string(w)
	}
	return strings.Join(text, ", ")
}
