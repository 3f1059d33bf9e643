package bubble

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model"
)

// This file reads and writes rules.

// Kind is a kind of flow control.
type Kind string

// The kinds of flow control.
const (
	// Local lets a packet enter a ring if the next buffer has room for two packets.
	Local Kind = "bubble"
	// Critical lets a packet enter if the next buffer has room for it, and the ring for another packet.
	Critical Kind = "critical-bubble"
	// Worm lets a worm enter if the next VC is empty and the worms in the ring, with this one, leave a VC
	// of the ring empty even if all of them wait. A worm counts for the VCs that its flits fill.
	Worm Kind = "worm-bubble"
)

// Kinds returns all kinds of flow control.
func Kinds() []Kind { return []Kind{Local, Critical, Worm} }

// From says which entries are off.
type From string

// The values of From.
const (
	FromAny   From = "any"
	FromHosts From = "hosts" // entries from hosts
	FromRings From = "rings" // entries from other VCs between switches
)

// Rule is a rule of flow control.
type Rule struct {
	Kind Kind
	// Packet is the number of flits that the rule assumes for a packet. If 0, that of the packets.
	Packet int
	// Off has the places where entries are off, joined by +: a switch, two neighbors as in A>B for the entries
	// onto the channel from A to B, or AllPlaces. If empty, the rule applies everywhere.
	Off string
	// From restricts Off to some entries.
	From From
	// VCs has the indices of the VCs whose entries the rule applies to. Entries onto other VCs are off, from wherever they come. If
	// nil, the rule applies on all VCs.
	VCs []int
	// Rings says which rings there are. If empty, those of the dependencies.
	Rings RingsFrom
}

// RingsFrom says which rings there are.
type RingsFrom string

// RingsStated are the rings that the network states (model.FlowControl), all on VC 0, whether or not the dependencies close them.
const RingsStated RingsFrom = "stated"

// Switching returns the switching discipline of the flow control.
func (r *Rule) Switching() model.Switching {
	if r.Kind == Worm {
		return model.Wormhole
	}
	return model.CutThrough
}

// Takes reports whether the flow control works under a switching discipline. The rules for whole packets are also for store-and-forward.
func (r *Rule) Takes(s model.Switching) bool {
	return s == r.Switching() || s == model.StoreAndForward && r.Kind != Worm
}

// AllPlaces in Rule.Off means every switch.
const AllPlaces = "all"

// maxPacket is the greatest value of Rule.Packet.
const maxPacket = 1 << 14

// keys are the keys that may follow a kind.
var keys = []option.Key[Rule]{
	option.NewKey("packet", "flits that the rule assumes for a packet",
		func(r *Rule, v string) (err error) {
			if r.Packet, err = strconv.Atoi(v); err != nil || r.Packet < 1 || r.Packet > maxPacket {
				return fmt.Errorf("want a number from 1 to %d", maxPacket)
			}
			return nil
		},
		func(r *Rule) string {
			if r.Packet == 0 {
				return ""
			}
			return strconv.Itoa(r.Packet)
		}),
	option.NewKey("off", "where the rule is off: SWITCH, SWITCH>SWITCH for a channel, or all, joined by +",
		func(r *Rule, v string) error {
			if r.Off = v; v == "" || strings.HasPrefix(v, "+") || strings.HasSuffix(v, "+") {
				return errors.New("want places joined by +, as in 3+7>6")
			}
			return nil
		},
		func(r *Rule) string { return r.Off }),
	option.NewKey("from", "which entries are off there: any, hosts (those from hosts) or rings (those from other switches)",
		func(r *Rule, v string) error {
			if r.From = From(v); !slices.Contains([]From{FromAny, FromHosts, FromRings}, r.From) {
				return errors.New("want any, hosts or rings")
			}
			return nil
		},
		func(r *Rule) string { return string(r.From) }),
	option.NewKey("vc", "VCs where the rule applies, joined by +: 0 is the first; default: all. On other VCs it is off",
		func(r *Rule, v string) error {
			for word := range strings.SplitSeq(v, "+") {
				vc, err := strconv.Atoi(word)
				if err != nil || vc < 0 || slices.Contains(r.VCs, vc) {
					return errors.New("want different numbers joined by +, as in 0 or 0+2")
				}
				r.VCs = append(r.VCs, vc)
			}
			slices.Sort(r.VCs)
			return nil
		},
		func(r *Rule) string {
			words := make([]string, len(r.VCs))
			for i, vc := range r.VCs {
				words[i] = strconv.Itoa(vc)
			}
			return strings.Join(words, "+")
		}),
	option.NewKey("rings", "which rings there are: stated (those that the file of the network states); default: those of the dependencies",
		func(r *Rule, v string) error {
			if r.Rings = RingsFrom(v); r.Rings != RingsStated {
				return errors.New("want stated")
			}
			return nil
		},
		func(r *Rule) string { return string(r.Rings) }),
}

// Keys returns the name and the meaning of each key of a rule.
func Keys() [][2]string {
	return option.DescribeKeys(keys)
}

// Parse parses KIND[,KEY=VALUE...], as in bubble,packet=4,off=3+7>6,from=rings.
func Parse(text string) (Rule, error) {
	items := option.Items(text, "off")
	r := Rule{Kind: Kind(items[0]), From: FromAny}
	if !slices.Contains(Kinds(), r.Kind) {
		return r, fmt.Errorf("flow: no flow control %q; want one of %s, %s, %s", items[0], Local, Critical, Worm)
	}
	given, err := option.SetKeys("flow", items[1:], keys, &r)
	if err != nil {
		return r, err
	}
	if given["from"] && r.Off == "" {
		return r, errors.New("flow: from says which entries are off, so off is needed, as in off=all")
	}
	return r, nil
}

// String returns the text that Parse parses.
func (r Rule) String() string {
	text := string(r.Kind)
	for _, k := range keys {
		if v := k.Text(&r); v != "" && (k.Name != "from" || r.From != FromAny) {
			text += "," + k.Name + "=" + v
		}
	}
	return text
}
