package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
)

// Place says which hops have gates.
type Place string

// The places of gates.
const (
	Turns     Place = "turn"      // turns from one dimension to another
	Injection Place = "injection" // hops from a host
	Both      Place = "both"
)

// Places returns all values of Place.
func Places() []Place {
	return []Place{Turns, Injection, Both}
}

// Unit is the unit that a closed gate stops.
type Unit string

// The units.
const (
	// Flit: a closed gate stops every flit, also in the middle of a packet. The packet then
	// keeps the VC after the gate.
	Flit Unit = "flit"
	// Packet: a closed gate does not stop a packet whose head has passed.
	Packet Unit = "packet"
)

// Units returns all values of Unit. The unit of the paper is first.
func Units() []Unit {
	return []Unit{Flit, Packet}
}

// VCs says which VCs' bits decide whether the gate before a VC is closed.
type VCs string

// The values of VCs.
const (
	Own VCs = "own" // the bits of the VC itself
	Any VCs = "any" // a bit is set if it is set for at least one VC
	All VCs = "all" // a bit is set if it is set for all VCs
)

// Readings returns all values of VCs, the default first.
func Readings() []VCs {
	return []VCs{Own, Any, All}
}

// Buffer says which slots of a buffer count as occupied.
type Buffer string

// The values of Buffer.
const (
	Stored   Buffer = "stored"   // the slots that hold flits
	Reserved Buffer = "reserved" // all slots for a packet, from the arrival of its head to the departure of its tail
)

// Buffers returns all values of Buffer, the default first.
func Buffers() []Buffer {
	return []Buffer{Stored, Reserved}
}

// Rule is a gating rule. The zero value has no gates. DefaultRule returns the rule of the
// paper.
type Rule struct {
	Place     Place
	Func      Func
	Level     int    // a buffer with at most this number of free slots is nearly full
	Hops      int    // number of buffers in VCinfo, including the next buffer
	Unit      Unit   //
	VCs       VCs    //
	Buffer    Buffer //
	Exempt    bool   // hops to escape VCs have no gate
	WithinRow bool   // VCinfo ends before and after a wraparound channel
}

// DefaultRule returns the rule with f1 at level 0, flit by flit. Where the paper is open:
// VCinfo has 17 bits, because the printed sums run from 0 to 16, and a gate uses the bits of
// its own VC.
func DefaultRule(p Place) Rule {
	return Rule{Place: p, Func: Functions()[0], Hops: 17, Unit: Flit, VCs: Own, Buffer: Stored}
}

// keys are the keys that may follow a place.
var keys = []option.Key[Rule]{
	option.NewKey("f", "evaluation function: f1, f2, f3 or f4, or f1:M>T, f2:A>T, f3:A>T, f4:M>T",
		func(r *Rule, v string) (err error) { r.Func, err = ParseFunc(v); return err },
		func(r *Rule) string { return r.Func.String() }),
	option.NewKey("level", "occupancy level, in flits",
		func(r *Rule, v string) (err error) { r.Level, err = parseWithin(v, 0, 1<<14); return err },
		func(r *Rule) string { return strconv.Itoa(r.Level) }),
	option.NewKey("hops", "number of buffers in VCinfo, 1 to 20",
		func(r *Rule, v string) (err error) { r.Hops, err = parseWithin(v, 1, maxHops); return err },
		func(r *Rule) string { return strconv.Itoa(r.Hops) }),
	option.NewKey("unit", "unit that a closed gate stops: flit or packet",
		func(r *Rule, v string) error { return parseWord(&r.Unit, v, Units()) },
		func(r *Rule) string { return string(r.Unit) }),
	option.NewKey("vcs", "whose bits close a gate: own, any or all VCs",
		func(r *Rule, v string) error { return parseWord(&r.VCs, v, Readings()) },
		func(r *Rule) string { return string(r.VCs) }),
	option.NewKey("buffer", "which slots are taken: stored or reserved",
		func(r *Rule, v string) error { return parseWord(&r.Buffer, v, Buffers()) },
		func(r *Rule) string { return string(r.Buffer) }),
	option.NewKey("exempt", "escape: hops onto the escape have no gate; none",
		func(r *Rule, v string) error { return parseFlag(&r.Exempt, v, "escape", "none") },
		func(r *Rule) string { return flagText(r.Exempt, "escape", "none") }),
	option.NewKey("within", "row: VCinfo ends at a wraparound channel; ring",
		func(r *Rule, v string) error { return parseFlag(&r.WithinRow, v, "row", "ring") },
		func(r *Rule) string { return flagText(r.WithinRow, "row", "ring") }),
}

// Keys returns the name and the meaning of each key of a rule.
func Keys() [][2]string {
	return option.DescribeKeys(keys)
}

// Parse parses PLACE[,KEY=VALUE...], as in turn,f=f4,level=8. Other values are those of
// DefaultRule.
func Parse(text string) (Rule, error) {
	items := strings.Split(text, ",")
	r := DefaultRule(Place(items[0]))
	if !slices.Contains(Places(), r.Place) {
		return r, fmt.Errorf("gate: no place %q; want one of %s", items[0], join(Places()))
	}
	_, err := option.SetKeys("gate", items[1:], keys, &r)
	return r, err
}

// String returns the text that Parse parses. It omits most values of DefaultRule.
func (r Rule) String() string {
	def := DefaultRule(r.Place)
	text := string(r.Place)
	for _, k := range keys {
		if v := k.Text(&r); v != k.Text(&def) || k.Name == "f" || k.Name == "level" {
			text += "," + k.Name + "=" + v
		}
	}
	return text
}

func parseWithin(value string, least, most int) (int, error) {
	k, err := strconv.Atoi(value)
	if err != nil || k < least || k > most {
		return 0, fmt.Errorf("want a number from %d to %d", least, most)
	}
	return k, nil
}

func parseWord[T ~string](to *T, value string, known []T) error {
	if *to = T(value); !slices.Contains(known, *to) {
		return fmt.Errorf("want %s", join(known))
	}
	return nil
}

func parseFlag(to *bool, value, yes, no string) error {
	if *to = value == yes; !*to && value != no {
		return fmt.Errorf("want %s or %s", yes, no)
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
