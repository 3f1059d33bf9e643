package ttfabric

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Ring is how rings are protected.
type Ring string

// The values of Ring.
const (
	RingNone     Ring = "none"
	RingDateline Ring = "dateline" // packets that have crossed the wrap link of an axis have VCs of their own there
	RingBubble   Ring = "bubble"   // a packet that enters needs two free slots in the next receiver; on VC 0 only
)

// Between is where cables have deadlock avoidance.
type Between string

// The values of Between.
const (
	BetweenDirection Between = "direction" // each end by its own label and config
	BetweenEither    Between = "either"    // both ends, if one of them has it by its label and config
	BetweenNever     Between = "never"
)

// Rules are the rules of one date, with overrides.
type Rules struct {
	Ring    Ring
	VC1     bool    // packets change to VC 1 when they land in another mesh
	Through bool    // packets on VC 1 may leave a mesh again over Z
	Between Between // deadlock avoidance on cables
	Wrap2   bool    // a ring of two chips has a wrap link of its own
	Reserve bool    // ports of an axis that only the config calls a torus take no cables
}

// The dates from which rules hold.
const (
	firstRules   = "2025-03"
	dateBubble   = "2025-11-26"
	dateVC1      = "2025-12-06"
	dateLines    = "2026-07-29" // rings of one and two chips are lines
	dateReserve  = "2026-09-01"
	dateNever    = "2026-10-01" // no deadlock avoidance on cables: proposed, not merged when this was written
	DefaultRules = "2026-09"    // the newest rules that were merged when this was written
)

var datePattern = regexp.MustCompile(`^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$`)

// RulesOf returns the rules of a date, YYYY-MM or YYYY-MM-DD. A month means its end.
func RulesOf(date string) (Rules, error) {
	if !datePattern.MatchString(date) || date < firstRules {
		return Rules{}, fmt.Errorf("rules %q: want a date YYYY-MM or YYYY-MM-DD from %s on", date, firstRules)
	}
	if len(date) == len(firstRules) {
		date += "-31"
	}
	r := Rules{Ring: RingDateline, VC1: date >= dateVC1, Through: true, Between: BetweenDirection, Wrap2: date < dateLines, Reserve: date >= dateReserve}
	if date >= dateBubble {
		r.Ring = RingBubble
	}
	if date >= dateNever {
		r.Between = BetweenNever
	}
	return r, nil
}

// Override changes single rules. A nil field changes nothing.
type Override struct {
	Ring    *Ring    `json:"ring,omitempty"`
	VC1     *bool    `json:"vc1,omitempty"`
	Through *bool    `json:"through,omitempty"`
	Between *Between `json:"intermesh_da,omitempty"`
	Wrap2   *bool    `json:"wrap_of_two,omitempty"`
	Reserve *bool    `json:"reserve_ports,omitempty"`
}

// apply changes rules.
func (o *Override) apply(r *Rules) error {
	set(&r.Ring, o.Ring)
	set(&r.VC1, o.VC1)
	set(&r.Through, o.Through)
	set(&r.Between, o.Between)
	set(&r.Wrap2, o.Wrap2)
	set(&r.Reserve, o.Reserve)
	switch {
	case !slices.Contains([]Ring{RingNone, RingDateline, RingBubble}, r.Ring):
		return fmt.Errorf("override: ring is %q; want none, dateline or bubble", r.Ring)
	case !slices.Contains([]Between{BetweenDirection, BetweenEither, BetweenNever}, r.Between):
		return fmt.Errorf("override: intermesh_da is %q; want direction, either or never", r.Between)
	}
	return nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// String returns the rules in words.
func (r Rules) String() string {
	words := []string{"rings by " + string(r.Ring)}
	if r.Ring == RingNone {
		words[0] = "no protection of rings"
	}
	if r.VC1 {
		words = append(words, "VC 1 after a landing in another mesh")
		if !r.Through {
			words = append(words, "no path from VC 1 over Z")
		}
	} else {
		words = append(words, "one VC between meshes")
	}
	return strings.Join(append(words, "deadlock avoidance on cables: "+string(r.Between)), ", ")
}

// Config is a fabric config.
type Config string

// The configs.
const (
	Fabric1D      Config = "FABRIC_1D"
	Fabric1DRing  Config = "FABRIC_1D_RING"
	Fabric2D      Config = "FABRIC_2D"
	Fabric2DX     Config = "FABRIC_2D_TORUS_X"
	Fabric2DY     Config = "FABRIC_2D_TORUS_Y"
	Fabric2DXY    Config = "FABRIC_2D_TORUS_XY"
	DefaultConfig        = Fabric2D
)

// Configs returns all configs.
func Configs() []Config {
	return []Config{Fabric1D, Fabric1DRing, Fabric2D, Fabric2DX, Fabric2DY, Fabric2DXY}
}

// isTorus reports whether the config asks for rings on an axis.
func (c Config) isTorus(axis int) bool {
	return c == Fabric2DXY || c == Fabric1DRing || c == Fabric2DY && axis == 0 || c == Fabric2DX && axis == 1
}

// is1D reports whether packets make no turns.
func (c Config) is1D() bool { return c == Fabric1D || c == Fabric1DRing }
