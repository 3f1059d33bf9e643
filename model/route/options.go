package route

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model"
)

// This file is the table of the options of named routings.

// Option describes an option of routings: its name, its words and the field of Options that it sets.
type Option = option.Option[Options]

// Options are the options of all named relations. The zero value is the default. New fails if a
// relation is given an option that it does not use.
type Options struct {
	// Order is the order of dimensions of dor, e-cube and the escape of duato; 0 is x. If nil,
	// the order is x, y, z, ...
	Order []int
	// BothWays lets dor use both directions at distance k/2 of a ring. Default: the plus
	// direction only.
	BothWays bool
	// VCRule is the rule by which dor uses VCs on a ring: RulePlain, RuleDateline,
	// RulePosition, RuleEntry or RuleBalanced (see dor.go). Defaults to RuleDateline with two
	// or more VCs, else RulePlain.
	VCRule string
	// KeepFirst keeps a packet of dor on VC 0 once a switch has given it VC 0, as min_adapt of BookSim
	// does. It needs a mesh.
	KeepFirst bool
	// Root is the root of up*/down*. If nil, the switch of least eccentricity.
	Root *model.SwitchID
	// EscapeVCs is the number of escape VCs of duato, the last VCs. Defaults to one on a mesh
	// and two on a torus.
	EscapeVCs int
	// StayOnEscape keeps a packet of duato on the escape once it is there, as in the
	// flow-limiting paper.
	StayOnEscape bool
	// Misroutes is the maximum number of unproductive hops in duato-nonminimal. Defaults to
	// DefaultMisroutes.
	Misroutes int
	// VCsBy is the rule by which dragonfly-minimal, -valiant, -ugal and -par use VCs: VCsByGlobalHops, VCsByHops or VCsByStages (see
	// dragonflypaths.go). Defaults to VCsByGlobalHops, for dragonfly-par to VCsByStages.
	VCsBy string
	// Via is the intermediate place of dragonfly-valiant, -ugal and -par: ViaGroup, ViaIntra or ViaSwitch. Defaults to ViaGroup.
	Via string
	// Beyond lets a routing that counts VCs run with fewer VCs than it needs: the hops beyond the last VC use the last one
	// (BeyondLast), or begin with VC 0 again (BeyondWrap). If empty, too few VCs are an error.
	Beyond string
	// Turns is the turn model of lbdr, one of turnModelNames. Defaults to xy.
	Turns string
	// Adaptive and On name the two relations of escape. They default to minimal and updown.
	Adaptive, On string
	// Return lets packets of escape go back from the escape to adaptive VCs.
	Return bool
	// NF selects the reading of nf and nf+1.
	NF NFOptions
}

var (
	orderOption    = option.New("order", "order of the dimensions, as yx or zxy", option.Text, func(o *Options) *[]int { return &o.Order }, readOrder)
	bothWaysOption = option.NewBool("both-ways", "at distance k/2 of a ring: use both directions, not plus only", func(o *Options) *bool { return &o.BothWays })
	vcRuleOption   = option.New("vc-rule", "dateline, plain, position, entry or balanced", option.Text, func(o *Options) *string { return &o.VCRule },
		func(word string) (string, error) { return word, nil }) // newDOR knows which rules fit the network
	keepFirstOption = option.NewBool("keep-first", "on a mesh: once on VC 0 a packet stays there", func(o *Options) *bool { return &o.KeepFirst })
	rootOption      = option.New("root", "number of the root switch", option.Text, func(o *Options) **model.SwitchID { return &o.Root }, readSwitch)
	escapeVCsOption = option.NewCount("escape-vcs", "how many VCs, the last ones, are the escape", func(o *Options) *int { return &o.EscapeVCs })
	stayOption      = option.NewBool("stay-on-escape", "once on the escape a packet stays there", func(o *Options) *bool { return &o.StayOnEscape })
	misroutesOption = option.NewCount("misroutes", "most hops away from the destination", func(o *Options) *int { return &o.Misroutes })
	vcsByOption     = newWord("vcs-by", "the VC is the number of", func(o *Options) *string { return &o.VCsBy }, VCsByGlobalHops, VCsByHops, VCsByStages)
	viaOption       = newWord("via", "intermediate place: a group, for packets within a group a switch of it (intra), or always a switch",
		func(o *Options) *string { return &o.Via }, ViaGroup, ViaIntra, ViaSwitch)
	beyondOption = newWord("beyond", "with too few VCs: hops beyond the last VC use it, too, or VC 0 again", func(o *Options) *string { return &o.Beyond },
		BeyondLast, BeyondWrap)
	turnsOption    = newWord("turns", "turn model", func(o *Options) *string { return &o.Turns }, turnModelNames...)
	adaptiveOption = option.New("adaptive", "name of the routing on the first VCs", option.Text, func(o *Options) *string { return &o.Adaptive },
		readName).WithDefault("minimal")
	onOption = option.New("on", "name of the routing on the escape VCs", option.Text, func(o *Options) *string { return &o.On },
		readName).WithDefault("updown")
	returnOption  = option.NewBool("return", "packets on the escape may go back to adaptive VCs", func(o *Options) *bool { return &o.Return })
	readingOption = option.New("reading", "readings of the North-First+1 paper, joined by +: "+strings.Join(readingNames(), ", "), option.Text,
		func(o *Options) *NFOptions { return &o.NF }, readReadings)
)

// newWord returns an option with a fixed set of words, whose default depends on the routing.
func newWord(name, about string, at func(*Options) *string, words ...string) Option {
	return option.New(name, about+": "+strings.Join(words, ", "), option.Text, at, func(word string) (string, error) {
		if !slices.Contains(words, word) {
			return "", fmt.Errorf("known are %s", strings.Join(words, ", "))
		}
		return word, nil
	})
}

// readName accepts any name; newEscape knows which exist.
func readName(word string) (string, error) { return word, nil }

func readOrder(word string) (order []int, err error) {
	for _, letter := range word {
		d := strings.IndexRune("xyzuvw", letter)
		if d < 0 {
			return nil, errors.New("dimensions are x, y, z, u, v, w")
		}
		order = append(order, d)
	}
	return order, nil
}

func readSwitch(word string) (*model.SwitchID, error) {
	k, err := option.Count(word)
	u := model.SwitchID(k)
	return &u, err
}

// readings are the fields of NFOptions by name.
func readings(o *NFOptions) map[string]*bool {
	return map[string]*bool{
		"wrap-early": &o.WrapEarly, "without-state-2": &o.WithoutState2, "without-state-3": &o.WithoutState3, "without-state-4": &o.WithoutState4,
		"down-keeps": &o.DownKeeps, "test-x-plus": &o.TestXPlus, "figure-as-printed": &o.FigureAsPrinted,
		"release-right-up": &o.ReleaseRightUp, "release-left-up": &o.ReleaseLeftUp, "release-right-down": &o.ReleaseRightDown,
	}
}

func readingNames() []string {
	var names []string
	for name := range readings(&NFOptions{}) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func readReadings(words string) (o NFOptions, err error) {
	fields := readings(&o)
	for _, name := range strings.Split(words, "+") {
		field, ok := fields[name]
		if !ok {
			return o, fmt.Errorf("readings are %s", strings.Join(readingNames(), ", "))
		}
		*field = true
	}
	return o, nil
}
