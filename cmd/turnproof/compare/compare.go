package compare

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// Command returns the command compare with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "report what changed between two states of a fabric, and check both",
		ArgsUsage: "OLD NEW [--network FILE] | TOPOLOGY --old ROUTING --new ROUTING [flags]",
		Description: "OLD and NEW are folders of dumps (topology, forwarding tables, service levels; or routes of\n" +
			"Ethernet switches), as check reads them, or files of forwarding tables of the network that\n" +
			"--network names. --old and --new take what --routing of check takes, for one topology.\n" +
			"Switches, hosts and cables are compared by GUID and port, entries by switch and LID, paths by\n" +
			"the channels that packets of a pair of hosts pass. Without LIDs, the next hops of each switch for\n" +
			"each host are compared. Both states are checked, and the change between them, if entries are\n" +
			"replaced in any order.\n" +
			"Exit status: that of check on NEW.\n\n" +
			"Examples:\n" +
			"  turnproof compare before/ after/\n" +
			"  turnproof compare opensm-lfts.dump mended.lfts --network topology.ibnetdiscover\n" +
			"  turnproof compare mesh:4x4 --old west-first --new negative-first",
		Flags: append(states.Flags(),
			input.SwitchingFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/compare.json)", Category: cli.CategoryOutput},
			input.HostsFlag(),
			input.LMCFlag(),
			input.MulticastFlag(),
			input.WaitingFlag(),
		),
		Action: runCompare,
	}
}

type compareJSON struct {
	Schema        string          `json:"schema"`
	Old           string          `json:"old"`
	New           string          `json:"new"`
	OldVerdict    string          `json:"old_verdict"`
	Verdict       string          `json:"verdict"` // of the new state
	SwitchesGone  []string        `json:"switches_gone"`
	SwitchesNew   []string        `json:"switches_new"`
	HostsGone     []string        `json:"hosts_gone"`
	HostsNew      []string        `json:"hosts_new"`
	CablesGone    []string        `json:"cables_gone"`
	CablesNew     []string        `json:"cables_new"`
	Entries       int             `json:"entries"`
	Changed       []entryJSON     `json:"changed_entries"`
	ChangedHops   []hopsJSON      `json:"changed_next_hops"` // of routings that are no tables of an InfiniBand fabric
	Pairs         int64           `json:"pairs"`             // pairs of hosts in the state that has more
	PairsGone     int64           `json:"pairs_gone"`
	PairsNew      int64           `json:"pairs_new"`
	Moved         []movedJSON     `json:"moved_hosts"` // hosts with another LID or LMC
	LIDsElsewhere int             `json:"lids_elsewhere"`
	ChangedWays   int64           `json:"changed_ways"`
	ChangedLevels int64           `json:"changed_levels"`
	OldPremises   []model.Premise `json:"old_premises"`
	Premises      []model.Premise `json:"premises"`   // of the new state
	Transition    string          `json:"transition"` // proved, refuted or undecided, if entries change in any order, or not-examined
	TransitionWhy string          `json:"transition_reason"`
	Change        []model.Premise `json:"transition_premises"` // beyond those of the new state
	Quality       *quality.Change `json:"quality,omitempty"`   // nil if a state permits several paths for a pair
	Warnings      []string        `json:"warnings"`
	Notes         []string        `json:"notes"`
	Inputs        []model.Input   `json:"inputs"` // the files of both states
	Seconds       float64         `json:"seconds"`

	isTables    bool   // forwarding tables
	entriesOpen string // why next hops were not compared, or ""
	changed     int    // entries with other next hops
	vcs         int
}

// movedJSON is a host whose LID or LMC changed.
type movedJSON struct {
	Host   string `json:"host"`
	GUID   string `json:"guid,omitempty"`
	OldLID uint16 `json:"old_lid"`
	NewLID uint16 `json:"new_lid"`
	OldLMC uint8  `json:"old_lmc"`
	NewLMC uint8  `json:"new_lmc"`
}

// notExamined is the value of the field transition if the change could not be judged.
const notExamined = "not-examined"

type entryJSON struct {
	Switch  string      `json:"switch"`
	GUID    string      `json:"guid,omitempty"`
	LID     uint16      `json:"lid"`
	OldPort *model.Port `json:"old_port"` // null if there was no entry
	NewPort *model.Port `json:"new_port"`
}

func runCompare(c *cli.Context) error {
	began := time.Now()
	s, err := states.Read(c)
	if err != nil {
		return err
	}
	in, rep := s.In, s.Rep
	out := newCompareJSON(s)
	if out.Transition, out.TransitionWhy, err = judgeChange(c.Context, s); err != nil {
		return err
	}
	if out.Change = []model.Premise{}; out.Transition != notExamined {
		out.Change = s.OfChange()
	}
	if s.In[0].Table == nil || s.In[1].Table == nil {
		out.addRelations(s)
	}
	if out.Quality, err = quality.Compare(c.Context, in[0].Rel, in[1].Rel); err != nil {
		return err
	}
	out.Seconds = time.Since(began).Seconds()
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, out); err != nil {
			return err
		}
	} else {
		input.PrintNotes(c, in[0])
		input.PrintNotes(c, in[1])
		input.PrintWarnings(c, in[0])
		input.PrintWarnings(c, in[1])
		printCompare(c.App.Writer, out, in[1], rep)
	}
	return verdict.Status(rep[1].Verdict())
}

func newCompareJSON(s *states.Pair) *compareJSON {
	in, rep := s.In, s.Rep
	n := compare.DiffNetworks(in[0].Net, in[1].Net)
	list := func(x []string) []string { return append([]string{}, x...) }
	out := &compareJSON{
		Schema: "turnproof.compare/1", Old: s.Names[0], New: s.Names[1], OldVerdict: string(rep[0].Verdict()), Verdict: string(rep[1].Verdict()),
		SwitchesGone: list(n.SwitchesGone), SwitchesNew: list(n.SwitchesNew), HostsGone: list(n.HostsGone), HostsNew: list(n.HostsNew),
		CablesGone: list(n.CablesGone), CablesNew: list(n.CablesNew),
		Changed: []entryJSON{}, ChangedHops: []hopsJSON{}, Moved: []movedJSON{}, Transition: notExamined,
		OldPremises: append([]model.Premise{}, rep[0].Premises...), Premises: append([]model.Premise{}, rep[1].Premises...),
		Warnings: append(list(in[0].Warnings), in[1].Warnings...),
		Notes:    append(list(in[0].Notes), in[1].Notes...),
		Inputs:   append(append([]model.Input{}, in[0].Files...), in[1].Files...),
	}
	if in[0].Table != nil && in[1].Table != nil {
		out.addTables(in, compare.DiffTables(in[0].Table, in[1].Table))
	}
	return out
}

// addTables adds the difference between two forwarding tables.
func (x *compareJSON) addTables(in [2]*resolve.Subject, t *compare.TableDiff) {
	x.isTables = true
	x.Entries, x.Pairs, x.PairsGone, x.PairsNew, x.LIDsElsewhere = t.Common, t.Pairs, t.PairsGone, t.PairsNew, t.LIDsElsewhere
	x.ChangedWays, x.ChangedLevels = t.Paths, t.Levels
	for _, m := range t.Moved {
		h := in[1].Net.Host(m.Host)
		x.Moved = append(x.Moved, movedJSON{in[1].Net.HostLabel(m.Host), wording.GUID(h.PortGUID), m.OldLID, m.NewLID, m.OldLMC, m.NewLMC})
	}
	for _, e := range t.Entries {
		x.Changed = append(x.Changed, entryJSON{in[1].Net.SwitchLabel(e.Switch), wording.GUID(in[1].Net.Switch(e.Switch).GUID), e.LID, e.Old, e.New})
	}
}

func printCompare(w io.Writer, x *compareJSON, now *resolve.Subject, rep [2]*verify.Report) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("old: %s\nnew: %s\n\n", x.Old, x.New)
	some := false
	for _, list := range []struct {
		what  string
		items []string
	}{{"switch gone", x.SwitchesGone}, {"switch new", x.SwitchesNew}, {"host gone", x.HostsGone}, {"host new", x.HostsNew}, {"cable gone",
		x.CablesGone}, {"cable new", x.CablesNew}} {
		for i, item := range list.items {
			some = true
			if i == say.MaxShown {
				p("%-12s and %d more\n", list.what, len(list.items)-i)
				break
			}
			p("%-12s %s\n", list.what, item)
		}
	}
	if !some {
		p("The same switches, hosts and cables.\n")
	}
	printMoved(w, x)
	if x.isTables {
		printEntries(w, x)
	} else {
		printHops(w, x)
	}
	if x.entriesOpen == "" {
		x.printPairs(w)
	}
	p("%s\nold %s, new %s", x.Quality.Sentence(), x.OldVerdict, x.Verdict)
	for i, r := range rep {
		for _, claim := range r.Claims() {
			if claim.Verdict != verify.Proved {
				p("\n  %s: %s: %s", []string{"old", "new"}[i], claim.Name, claim.Reason)
			}
		}
	}
	p("\n")
	verdict.PrintCycle(w, now, rep[1])
	say.PrintPremises(w, rep[1].Premises)
	p("\nDuring the change, entries replaced in any order: %s: %s.\n", strings.ToUpper(x.Transition), x.TransitionWhy)
	for _, q := range x.Change {
		p("  %s\n", plain.Text(fmt.Sprintf("%s: %s (%s)", q.Name, q.Value, q.Source)))
	}
	p("The new state is %s. %.3f s\n", strings.ToUpper(x.Verdict), x.Seconds)
}

// printEntries prints how many entries of tables differ, and the first ones.
func printEntries(w io.Writer, x *compareJSON) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s of %s differ.\n", wording.Thousands(int64(len(x.Changed))), wording.Count(x.Entries, "entr", "ies", "y"))
	port := func(p *model.Port) string {
		if p == nil {
			return "no entry"
		}
		return fmt.Sprintf("port %d", *p)
	}
	for i, e := range x.Changed {
		if i == say.MaxShown {
			p("  and %d more\n", len(x.Changed)-i)
			break
		}
		p("  %s, LID %d: %s, was %s\n", e.Switch, e.LID, port(e.NewPort), port(e.OldPort))
	}
}

// printPairs prints how many pairs of hosts take another path.
func (x *compareJSON) printPairs(w io.Writer) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s of %s of hosts take another path", wording.Thousands(x.ChangedWays), wording.Count(x.Pairs, "pair", "s"))
	if x.ChangedLevels > 0 {
		p(", %s have other service levels", wording.Thousands(x.ChangedLevels))
	}
	if x.PairsGone+x.PairsNew > 0 {
		p(", %s are gone, %s are new", wording.Thousands(x.PairsGone), wording.Thousands(x.PairsNew))
	}
	p(".\n")
}

// printMoved lists the hosts whose LID or LMC changed.
func printMoved(w io.Writer, x *compareJSON) {
	for i, m := range x.Moved {
		if i == say.MaxShown {
			fmt.Fprintf(w, "%-12s and %d more\n", "LID moved", len(x.Moved)-i)
			break
		}
		if m.OldLID != m.NewLID {
			fmt.Fprintf(w, "%-12s %s: LID %d, was %d\n", "LID moved", m.Host, m.NewLID, m.OldLID)
		}
		if m.OldLMC != m.NewLMC {
			fmt.Fprintf(w, "%-12s %s: LMC %d, was %d\n", "LMC changed", m.Host, m.NewLMC, m.OldLMC)
		}
	}
	if x.LIDsElsewhere > 0 {
		fmt.Fprintf(w, "%s to another host than before.\n", wording.Count(x.LIDsElsewhere, "LID", "s lead", " leads"))
	}
}
