// Package engines puts the results of the command whatif on pages.
package engines

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
)

// schema is the format of results, docs/schema/whatif.json.
const schema = "turnproof.whatif/1"

// present is the engine of the tables in use.
const present = "present"

// Result is what a page needs of the results.
type Result struct {
	Schema   string   `json:"schema"`
	OpenSM   string   `json:"opensm"` // version
	Switches int      `json:"switches"`
	Hosts    int      `json:"hosts"`
	Links    int      `json:"links"`
	Fail     string   `json:"fail"`
	Failures int      `json:"failures"`
	Missing  []string `json:"missing_engines"`
	Engines  []engine `json:"engines"`
	Proved   []string `json:"proved_in_all_cases"`
	Runs     []run    `json:"runs"`
	Complete bool     `json:"complete"`
	Network  string   `json:"network"`

	Inputs []model.Input `json:"inputs"`
	others []string      // of Inputs, those that the page is not about
}

type engine struct {
	Engine string `json:"engine"`
	Now    *run   `json:"now"`
	After  *after `json:"after"`
}

type after struct {
	Proved    int   `json:"proved"`
	Refuted   int   `json:"refuted"`
	Deadlocks int   `json:"can_deadlock"`
	Undecided int   `json:"undecided"`
	Unrouted  int   `json:"unrouted"`
	Fallbacks int   `json:"routed_by_another_engine"`
	LostPairs int64 `json:"most_unreachable_pairs"`
	MaxLoad   int64 `json:"max_load"`
	MaxHops   int   `json:"max_hops"`
}

type run struct {
	Engine       string   `json:"engine"`
	Failed       string   `json:"failed"`
	Routed       string   `json:"routed_by"`
	Fallback     string   `json:"fallback_reason"`
	Verdict      string   `json:"verdict"`
	DeadlockFree string   `json:"deadlock_free"`
	Reason       string   `json:"reason"`
	Loop         []string `json:"loop"`
	Lost         int64    `json:"unreachable_pairs"`
	Lanes        int      `json:"virtual_lanes"`
	Quality      *struct {
		MaxLoad     int64   `json:"max_load"`
		MeanHops    float64 `json:"mean_hops"`
		MaxHops     int     `json:"max_hops"`
		Unused      int     `json:"unused_links"`
		Permutation *int    `json:"worst_permutation"`
	} `json:"quality"`
}

// Read reads the output of whatif --json.
func Read(data []byte) (*Result, error) {
	r := &Result{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%w; want the output of turnproof whatif --json", err)
	}
	if r.Schema != schema {
		return nil, fmt.Errorf("the schema is %q; want %s, the output of turnproof whatif --json", r.Schema, schema)
	}
	return r, nil
}

// Fits returns an error if the results are not of the network of a page: n, which has a name or was read from files. of has the files of each
// routing of the page, without multicast tables, which whatif does not read. Results of the present tables need the files of one of the routings,
// neither more nor fewer. Otherwise the section says of which files the page is not about. Fits also fails if whatif did not write the results so,
// see check.
func (r *Result) Fits(n *model.Network, name string, of [][]model.Input) error {
	files := slices.Concat(of...)
	size := func(switches, hosts, links int) string {
		return fmt.Sprintf("%s, %s and %s", wording.Count(switches, "switch", "es"), wording.Count(hosts, "host", "s"), wording.Count(links, "link", "s"))
	}
	if r.Switches != n.NumSwitches() || r.Hosts != n.NumHosts() || r.Links != n.NumLinks() {
		return fmt.Errorf("it is about another network, of %s; want %s", size(r.Switches, r.Hosts, r.Links), size(n.NumSwitches(), n.NumHosts(), n.NumLinks()))
	}
	if len(r.Engines) == 0 {
		return errors.New("it has no engines; want the output of turnproof whatif --json")
	}
	if len(r.Inputs) == 0 && len(files) == 0 && r.Network != name {
		return fmt.Errorf("it is about another network, %s; want %s", r.Network, name)
	}
	r.others = nil
	for _, x := range r.Inputs {
		if slices.ContainsFunc(files, func(y model.Input) bool { return y.SHA256 == x.SHA256 }) {
			continue
		}
		if slices.ContainsFunc(files, func(y model.Input) bool { return y.Name == x.Name }) {
			return fmt.Errorf("it is about a %s of other content; run whatif again on these files", x.Name)
		}
		r.others = append(r.others, x.Name)
	}
	if len(r.others) > 0 && len(r.others) == len(r.Inputs) {
		return fmt.Errorf("it is about other files, %s; run whatif again on these files", strings.Join(r.others, ", "))
	}
	hasPresent := slices.ContainsFunc(r.Engines, func(e engine) bool { return e.Engine == present })
	if hasPresent && !slices.ContainsFunc(of, func(list []model.Input) bool { return slices.Equal(sums(list), sums(r.Inputs)) }) {
		return fmt.Errorf("its present tables are those of %s, and no routing of the page has the same files; run whatif again on these files", names(r.Inputs))
	}
	return r.check()
}

// sums returns the checksums of files, ascending.
func sums(list []model.Input) (all []string) {
	for _, x := range list {
		all = append(all, x.SHA256)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func names(list []model.Input) string {
	var all []string
	for _, x := range list {
		all = append(all, x.Name)
	}
	return strings.Join(all, ", ")
}

// Section returns the section of a page about the results.
func (r *Result) Section() page.Section {
	s := page.Section{ID: "whatif", Title: "What if OpenSM routed the fabric"}
	s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("OpenSM %s routed a copy of the fabric, which ibsim simulated, by each engine. Judged: packets between "+
		"hosts, with the service levels that OpenSM gives to the paths; no multicast, no management traffic.", r.OpenSM)))
	if len(r.others) > 0 {
		s.Blocks = append(s.Blocks, page.Note{Text: fmt.Sprintf("Results of further files, which this page is not about: %s.", strings.Join(r.others, ", "))})
	}
	cases := ""
	if r.Failures > 0 {
		cases = " in all cases"
	}
	switch {
	case !r.Complete:
		s.Blocks = append(s.Blocks, page.Note{Text: fmt.Sprintf("Interrupted: the results are of %s.", wording.Count(len(r.Runs), "run", "s"))})
	case len(r.Proved) == 0:
		s.Blocks = append(s.Blocks, page.Text("No engine is proved in all cases."))
	default:
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("Proved%s, the least loaded first: %s.", cases, strings.Join(r.Proved, ", "))))
	}
	s.Blocks = append(s.Blocks, r.nowTable())
	if r.Failures > 0 {
		s.Blocks = append(s.Blocks, r.afterTable())
	}
	if t := r.reasonTable(); len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, t)
	}
	if len(r.Missing) > 0 {
		s.Blocks = append(s.Blocks, page.Note{Text: fmt.Sprintf("Not in OpenSM %s: %s.", r.OpenSM, strings.Join(r.Missing, ", "))})
	}
	return s
}

// measures returns columns of numbers. Each has a short name, and a longer one.
func measures(words ...[2]string) (list []page.Column) {
	for _, w := range words {
		list = append(list, page.Column{Name: w[0], About: w[1], Number: true})
	}
	return list
}

// nowTable has the runs without failures.
func (r *Result) nowTable() *page.Table {
	t := &page.Table{ID: "whatif-now", Caption: "Engines without a failure", Columns: append([]page.Column{{Name: "Engine"}, {Name: "Verdict"},
		{Name: "Routed by"}}, measures([2]string{"Lost", "pairs of hosts without a path"}, [2]string{"VLs", "virtual lanes in use"},
		[2]string{"Busiest", "paths on a link"}, [2]string{"Permutation", "pairs of the worst permutation on a link"},
		[2]string{"Mean hops", "links between switches on a path"}, [2]string{"Max hops", ""}, [2]string{"Unused", "links without a path"})...)}
	for _, e := range r.Engines {
		x := e.Now
		if x == nil {
			continue
		}
		by := x.Routed
		if by == e.Engine {
			by = ""
		}
		lanes := "-"
		if x.Lanes > 0 {
			lanes = strconv.Itoa(x.Lanes)
		}
		row := []string{e.Engine, strings.ToUpper(x.Verdict), by, wording.Thousands(x.Lost), lanes, "-", "-", "-", "-", "-"}
		if q := x.Quality; q != nil {
			worst := "-"
			if q.Permutation != nil {
				worst = strconv.Itoa(*q.Permutation)
			}
			copy(row[5:], []string{wording.Thousands(q.MaxLoad), worst, fmt.Sprintf("%.3f", q.MeanHops), strconv.Itoa(q.MaxHops), strconv.Itoa(q.Unused)})
		}
		t.Rows = append(t.Rows, page.Row{Cells: row})
	}
	return t
}

// afterTable sums the runs with failures up.
func (r *Result) afterTable() *page.Table {
	kind, many, _ := strings.Cut(r.Fail, ":")
	what := map[string]string{"links": "a link", "switches": "a switch"}[kind]
	if many == "2" {
		what = "a pair of " + kind
	}
	t := &page.Table{ID: "whatif-after", Caption: fmt.Sprintf("After each of %s of %s", wording.Count(r.Failures, "failure", "s"), what),
		Columns: append([]page.Column{{Name: "Engine"}}, measures([2]string{"Proved", "failures"}, [2]string{"Refuted", "failures"},
			[2]string{"Deadlock", "failures after which packets can block each other"}, [2]string{"Undecided", "failures"}, [2]string{"Unrouted", "failures"},
			[2]string{"Fallback", "failures after which another engine routes"}, [2]string{"Lost", "pairs of hosts without a path, at most"},
			[2]string{"Busiest", "paths on a link, at most"}, [2]string{"Max hops", ""})...)}
	for _, e := range r.Engines {
		if a := e.After; a != nil {
			t.Rows = append(t.Rows, page.Row{Cells: []string{e.Engine, strconv.Itoa(a.Proved), strconv.Itoa(a.Refuted), strconv.Itoa(a.Deadlocks),
				strconv.Itoa(a.Undecided), strconv.Itoa(a.Unrouted), strconv.Itoa(a.Fallbacks), wording.Thousands(a.LostPairs), wording.Thousands(a.MaxLoad),
				strconv.Itoa(a.MaxHops)}})
		}
	}
	return t
}

// mostReasons is the number of runs of which a page says why they are not proved.
const mostReasons = 1000

// reasonTable lists the runs that are not proved, or that another engine routed.
func (r *Result) reasonTable() *page.Table {
	t := &page.Table{ID: "whatif-reasons", Caption: "Runs that are not proved, or routed by another engine", Filter: true, Columns: []page.Column{
		{Name: "Engine"}, {Name: "Without"}, {Name: "Verdict"}, {Name: "Reason"}, {Name: "Shortest loop"}}}
	for _, x := range r.Runs {
		if x.Verdict == string(page.Proved) && x.Fallback == "" {
			continue
		}
		if len(t.Rows) == mostReasons {
			t.Caption += fmt.Sprintf(", the first %s", wording.Thousands(mostReasons))
			break
		}
		reason := x.Reason
		if x.Fallback != "" {
			reason = strings.TrimSuffix(fmt.Sprintf("routed by %s (%s); %s", x.Routed, x.Fallback, reason), "; ")
		}
		t.Rows = append(t.Rows, page.Row{Cells: []string{x.Engine, x.Failed, strings.ToUpper(x.Verdict), reason, strings.Join(x.Loop, "; ")}})
	}
	return t
}
