package route

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file implements minimal, Valiant, UGAL and progressive adaptive routing (PAR) on dragonflies, with several rules for VCs.
//
// A path is described by a word of local links l and global links g, of which a packet takes some, in order:
//
//	minimal               lgl
//	via=group             lg lgl       by any global link of the group of the source, then minimal
//	via=intra             lg lgl       the same; packets within a group go by any switch of the group: first and second l
//	via=switch            lgl lgl      minimal to any switch, then minimal to the destination
//	PAR                   l and one of the last three: first a local link towards the group of the destination, then a new decision
//
// A minimal path takes a local link before a global one only if its switch has no link to the group. UGAL has the paths of Valiant routing,
// which contain the minimal ones. A packet at the switch of its destination is delivered.
//
// Rules for VCs:
//
//	global-hops   the number of global links passed (Kim et al., ISCA 2008, section 4.1)
//	hops          the number of links passed (Günther, IEEE Trans. Communications 29(4), 1981; SST)
//	stages        the number of letters of the same kind before the link's letter in the word: paths use links in one order (Jiang et al., ISCA
//	              2009, section 4: four VCs for PAR)
//
// The rules hops and stages order the links of all paths, so their graph has no cycle. The rule global-hops does not if a path has two local
// links in a row, as with via=intra, via=switch and PAR: two packets that exchange the switches of a group wait for each other. Source: J.
// Kim, W. J. Dally, S. Scott, D. Abts, ISCA 2008; N. Jiang, J. Kim, W. J. Dally, Indirect adaptive routing on large scale
// interconnection networks, ISCA 2009. Class:
// the letters passed, and what the rule counts.

// The rules for VCs on dragonflies.
const (
	VCsByGlobalHops = "global-hops"
	VCsByHops       = "hops"
	VCsByStages     = "stages"
)

// The choices of the intermediate place of Valiant routing.
const (
	ViaGroup  = "group"
	ViaIntra  = "intra"
	ViaSwitch = "switch"
)

// dragonflyKind is a named routing on dragonflies with its defaults.
type dragonflyKind struct {
	name    string
	valiant bool
	par     bool
	vcsBy   string
}

type dragonflyPaths struct {
	*dragonfly
	word  string
	leg0  int // the letter with which the way to the intermediate place begins, or -1
	leg1  int // the letter with which the minimal path to the destination begins
	via   string
	vcsBy string
	fold  vcFold
	width int // counts by rule
}

func newDragonfly(k dragonflyKind) func(*model.Network, Options) (model.Relation, error) {
	return func(n *model.Network, o Options) (model.Relation, error) {
		via, vcsBy := o.Via, o.VCsBy
		if via == "" {
			via = ViaGroup
		}
		if vcsBy == "" {
			vcsBy = k.vcsBy
		}
		if !k.par && via == ViaGroup && vcsBy == VCsByGlobalHops && o.Beyond == "" {
			return newDragonflyByGlobalHops(k.name, k.valiant, n)
		}
		d, err := readDragonfly(k.name, n)
		if err != nil {
			return nil, err
		}
		r := &dragonflyPaths{dragonfly: d, word: "lgl", leg0: -1, via: via, vcsBy: vcsBy, width: 1}
		if k.valiant {
			r.leg0, r.leg1 = 0, 2
			if r.word = "lglgl"; via == ViaSwitch {
				r.word, r.leg1 = "lgllgl", 3
			}
		}
		if k.par {
			r.word, r.leg0, r.leg1 = "l"+r.word, 1, r.leg1+1
		}
		needed := r.countVCs()
		if r.fold, err = foldVCs(k.name, needed, n, o.Beyond); err != nil {
			return nil, err
		}
		return &relation{rule: r, net: n, classes: (len(r.word) + 1) * r.width}, nil
	}
}

// countVCs returns how many VCs the rule needs, and sets the width of the count.
func (r *dragonflyPaths) countVCs() int {
	switch r.vcsBy {
	case VCsByHops:
		r.width = len(r.word) + 1
		return len(r.word)
	case VCsByGlobalHops:
		r.width = strings.Count(r.word, "g") + 1
		return r.width
	}
	return strings.Count(r.word, "l")
}

// group: the hops depend on the channel, whose tail can be the source.
func (r *dragonflyPaths) group(in model.ChannelID, _ int) int { return int(in) }

// take appends a hop over channel c as letter at of the word.
func (r *dragonflyPaths) take(p place, c model.ChannelID, at int, buf []model.Hop) []model.Hop {
	count := int(p.class) % r.width
	vc, counted := count, 0
	switch r.vcsBy {
	case VCsByHops:
		counted = 1
	case VCsByGlobalHops:
		counted = strings.Count(r.word[at:at+1], "g")
	default:
		vc = strings.Count(r.word[:at], r.word[at:at+1])
	}
	if count+counted >= r.width && counted > 0 {
		return buf // no packet reaches such a state
	}
	return append(buf, model.Hop{VC: r.net.VC(c, r.fold.index(vc)), Class: model.Class((at+1)*r.width + count + counted)})
}

func (r *dragonflyPaths) next(p place, buf []model.Hop) []model.Hop {
	passed, here, there := int(p.class)/r.width, r.groupOf(p.u), r.groupOf(p.v)
	switch {
	case passed == 0 && r.leg0 == 1: // PAR at the source
		if here != there && !r.hasLink(p.u, there) {
			buf = r.locals(p, 0, there, buf)
		}
		return r.startLeg0(p, buf)
	case passed == r.leg0:
		return r.startLeg0(p, buf)
	case r.leg0 >= 0 && passed == r.leg0+1:
		return r.afterLocal(p, buf)
	case r.leg0 >= 0 && passed == r.leg0+2 && r.via == ViaSwitch:
		return r.startLeg1(p, r.locals(p, r.leg0+2, anyGroup, buf))
	case passed == r.leg1:
		return r.startLeg1(p, buf)
	case passed == r.leg1+1:
		return r.globals(p, r.leg1+1, there, model.NoSwitch, buf)
	case passed == r.leg1+2 && here == there:
		return r.direct(p, r.leg1+2, buf)
	}
	return buf
}

// anyGroup stands for all groups; with locals also for switches without a global link.
const anyGroup = -1

// startLeg0 appends the first hops towards an intermediate place.
func (r *dragonflyPaths) startLeg0(p place, buf []model.Hop) []model.Hop {
	within := r.groupOf(p.u) == r.groupOf(p.v)
	switch {
	case within && r.via == ViaGroup:
		return r.direct(p, r.leg0, buf)
	case within && r.via == ViaIntra:
		return r.locals(p, r.leg0, anyGroup, buf)
	}
	buf = r.globals(p, r.leg0+1, anyGroup, model.NoSwitch, buf)
	for _, c := range r.net.Out(p.u) {
		if r.isLocal(c) && (r.via == ViaSwitch || r.leaves[r.net.Head(c)]) {
			buf = r.take(p, c, r.leg0, buf)
		}
	}
	return buf
}

// afterLocal appends the hops of a packet that has passed the first local link towards an intermediate place.
func (r *dragonflyPaths) afterLocal(p place, buf []model.Hop) []model.Hop {
	switch within := r.groupOf(p.u) == r.groupOf(p.v); {
	case r.via == ViaSwitch && r.isLocal(p.in):
		return r.startLeg1(p, r.globals(p, r.leg0+1, anyGroup, r.net.Tail(p.in), buf))
	case r.via == ViaIntra && within:
		return r.direct(p, r.leg1, buf)
	case r.via == ViaSwitch || within:
		return buf
	}
	return r.globals(p, r.leg0+1, anyGroup, model.NoSwitch, buf)
}

// startLeg1 appends the first hops of the minimal path to the destination.
func (r *dragonflyPaths) startLeg1(p place, buf []model.Hop) []model.Hop {
	switch there := r.groupOf(p.v); {
	case r.groupOf(p.u) == there:
		return r.direct(p, r.leg1, buf)
	case r.hasLink(p.u, there):
		return r.globals(p, r.leg1+1, there, model.NoSwitch, buf)
	default:
		return r.locals(p, r.leg1, there, buf)
	}
}

func (r *dragonflyPaths) hasLink(u model.SwitchID, group int) bool {
	return len(r.links[int(u)*r.groups+group]) > 0
}

// direct appends the local link to the destination.
func (r *dragonflyPaths) direct(p place, at int, buf []model.Hop) []model.Hop {
	for _, c := range r.net.Out(p.u) {
		if r.net.Head(c) == p.v {
			buf = r.take(p, c, at, buf)
		}
	}
	return buf
}

// locals appends the local links to switches with a link to a group, or all local links.
func (r *dragonflyPaths) locals(p place, at, group int, buf []model.Hop) []model.Hop {
	for _, c := range r.net.Out(p.u) {
		if r.isLocal(c) && (group == anyGroup || r.hasLink(r.net.Head(c), group)) {
			buf = r.take(p, c, at, buf)
		}
	}
	return buf
}

// globals appends the global links to a group, or to all groups, but not to those to which switch but has a link.
func (r *dragonflyPaths) globals(p place, at, group int, but model.SwitchID, buf []model.Hop) []model.Hop {
	for g := range r.groups {
		if (group == anyGroup || group == g) && (but == model.NoSwitch || !r.hasLink(but, g)) {
			for _, c := range r.links[int(p.u)*r.groups+g] {
				buf = r.take(p, c, at, buf)
			}
		}
	}
	return buf
}

// vcFold maps the number of a VC that a rule wants to one of a network with fewer VCs.
type vcFold struct {
	vcs  int
	wrap bool
}

// The choices for networks with fewer VCs than a rule needs.
const (
	BeyondLast = "last"
	BeyondWrap = "wrap"
)

// foldVCs returns how a routing that needs a number of VCs uses those of n. It fails if n has too few and beyond is empty.
func foldVCs(name string, needed int, n *model.Network, beyond string) (vcFold, error) {
	if n.VCs() < needed && beyond == "" {
		return vcFold{}, fmt.Errorf("route: %s needs %d virtual channels; this network has %d", name, needed, n.VCs())
	}
	return vcFold{n.VCs(), beyond == BeyondWrap}, nil
}

func (f vcFold) index(vc int) int {
	switch {
	case vc < f.vcs:
		return vc
	case f.wrap:
		return vc % f.vcs
	}
	return f.vcs - 1
}
