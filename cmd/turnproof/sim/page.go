package sim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/follow"
	"github.com/turnproof/turnproof/engine/timeline"
	"github.com/turnproof/turnproof/engine/timeline/runpage"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file writes the page of --page, and simulates the routing of --compare for it.

// watchFlags returns the flags to watch a simulation.
func watchFlags() []cli.Flag {
	return append(followFlags(),
		&cli.Output{StringFlag: cli.StringFlag{Name: "page", Category: cli.CategoryWatch,
			Usage: "write a self-contained HTML page to `FILE`: the load of the links over time, curves, slow packets, the deadlock"}},
		&cli.Input{StringFlag: cli.StringFlag{Name: "compare", Category: cli.CategoryWatch,
			Usage: "simulate the routing `FILE` or NAME, too, with the same traffic, and show both runs on the page of --page"}, Words: resolve.RoutingNames()})
}

// slowestOnPage is the number of slowest packets that a page shows if --follow names none.
const slowestOnPage = 8

// paged collects the runs of a page. Its methods do nothing if it is nil.
type paged struct {
	path    string
	command string           // to reproduce the page
	other   *resolve.Subject // of --compare, or nil
	fitted  trial.Settings   // for other; before it is loaded, as the flags give them
	runs    []*runpage.Run
	line    *timeline.Timeline // of the current run
	chosen  *follow.Chosen     // packets of the current run
}

// readPage returns the page of --page, or nil if the flag is not set.
func readPage(c *cli.Context, path string, s trial.Settings) (*paged, error) {
	other := c.String("compare")
	switch {
	case c.String("page") == "" && other != "":
		return nil, errors.New("--compare needs --page FILE")
	case c.String("page") == "":
		return nil, nil
	case other != "" && c.Bool("json"):
		return nil, errors.New("--json prints one run: remove it or --compare")
	case other != "" && other == c.String("routing"):
		return nil, fmt.Errorf("--compare %s: the routing is compared with itself", other)
	}
	return &paged{path: path, command: commandLine(c, path), fitted: s}, nil
}

// watch adds the records for the page to the settings of a run.
func (p *paged) watch(in *resolve.Subject, s *trial.Settings) {
	if p == nil {
		return
	}
	o := timeline.Options{Clocks: s.Clocks}
	if !s.Finite() {
		o.Warmup = engine.Clock(warmup(s))
		if o.Clocks == 0 {
			o.Clocks = trial.DefaultClocks
		}
	}
	p.line = timeline.New(in.Net, o)
	if p.chosen, _ = s.Engine.Follow.(*follow.Chosen); p.chosen == nil {
		p.chosen = follow.Slowest(slowestOnPage)
		s.Engine.Follow = p.chosen
	}
	s.Engine.Loads = true
	s.Watchers = append(s.Watchers, p.line)
}

// add adds a run that has ended.
func (p *paged) add(in *resolve.Subject, res *trial.Result) {
	r := &runpage.Run{Name: in.RoutingName(), Relation: in.Rel, Result: res, Timeline: p.line}
	for _, j := range p.chosen.Journeys(nil) {
		if !j.Dropped && len(r.Slowest) < slowestOnPage {
			r.Slowest = append(r.Slowest, j)
		}
	}
	if res.Deadlock != nil {
		r.Worms = picture.Worms(in.Rel, res.Deadlock)
	}
	p.runs = append(p.runs, r)
}

// finish adds the first run, simulates the routing of --compare and writes the page. It reports
// whether the second run ended in a deadlock.
func (p *paged) finish(c *cli.Context, in *resolve.Subject, s *trial.Settings, res *trial.Result) (frozen bool, err error) {
	p.add(in, res)
	files := in.Files
	if p.other != nil {
		second, err := p.second(c)
		if err != nil {
			return false, err
		}
		files = append(files[:len(files):len(files)], p.other.Files...)
		frozen = second.Deadlock != nil
	}
	o := runpage.Options{Title: "Simulation of " + resolve.Title(in.Name), Lead: lead(in, s, p.runs),
		Foot: []string{"Made by turnproof " + c.App.Version + " with: " + p.command + ".", "This file is self-contained: it loads nothing from a server."}}
	if !s.Finite() {
		o.Warmup = engine.Clock(warmup(s))
	}
	o.Settings = settingsFacts(in, s, p)
	for _, x := range in.Premises {
		o.Premises = append(o.Premises, fmt.Sprintf("Premise: %s is %s (%s).", x.Name, x.Value, x.Source))
	}
	for _, text := range in.Remarks() {
		o.Premises = append(o.Premises, text+".")
	}
	known := map[string]bool{}
	for _, f := range files {
		if !known[f.Name] {
			known[f.Name] = true
			o.Settings = append(o.Settings, page.Fact{Term: "File", Text: f.Name + ", SHA-256", Code: f.SHA256})
		}
	}
	made, err := runpage.Page(c.Context, o, p.runs)
	if err != nil {
		return frozen, err
	}
	var html bytes.Buffer
	if err := page.Write(&html, made); err != nil {
		return frozen, err
	}
	file := c.String("page")
	if err := cli.WriteFile(c, file, func(w io.Writer) error { _, err := w.Write(html.Bytes()); return err }); err != nil {
		return frozen, err
	}
	if file != "-" && !c.Bool("json") {
		fmt.Fprintf(c.App.Writer, "\n%s: %s\n", filepath.Clean(file), page.SizeText(int64(html.Len())))
	}
	return frozen, nil
}

// loadOther loads the routing of --compare, if set, and fits the settings to it.
func (p *paged) loadOther(c *cli.Context, messages trial.MessageWords) error {
	if p == nil || c.String("compare") == "" {
		return nil
	}
	q, err := input.Request(c, p.path)
	if err != nil {
		return err
	}
	q.Routing, q.SL, q.SL2VL, q.NeedsRouting, q.Sums = routingWord(c, p.path, c.String("compare")), "", "", true, true
	if p.other, err = input.Load(c, q); err != nil {
		return fmt.Errorf("--compare: %w", err)
	}
	if err := adapt(p.other, c, &p.fitted, messages); err != nil {
		return fmt.Errorf("--compare: %w", err)
	}
	return nil
}

// second simulates the routing of --compare and prints its result.
func (p *paged) second(c *cli.Context) (*trial.Result, error) {
	in, s := p.other, p.fitted
	if c.IsSet("follow") {
		chosen, err := follow.Parse(c.String("follow"))
		if err != nil {
			return nil, err
		}
		s.Engine.Follow = chosen
	}
	p.watch(in, &s)
	showProgress(c, &s, "simulating "+in.RoutingName())
	began := time.Now()
	res, err := trial.Run(c.Context, in.Rel, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	p.add(in, res)
	fmt.Fprintln(c.App.Writer)
	simText(c, in, &s, res, time.Since(began).Seconds(), nil)
	return res, nil
}

// lead says below the title what was simulated.
func lead(in *resolve.Subject, s *trial.Settings, runs []*runpage.Run) string {
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	text := fmt.Sprintf("%s, %s, %s. Routing %s, traffic %s", wording.Count(in.Net.NumSwitches(), "switch", "es"),
		wording.Count(in.Net.NumHosts(), "host", "s"), wording.Count(in.Net.VCs(), "VC", "s"), strings.Join(names, " beside "), s.Traffic)
	if s.Load > 0 && !s.Finite() {
		text += fmt.Sprintf(", load %g", s.Load)
	}
	return text + "."
}

// settingsFacts lists the settings of the runs.
func settingsFacts(in *resolve.Subject, s *trial.Settings, p *paged) page.Facts {
	facts := page.Facts{{Term: "Network", Text: in.Name}}
	for _, r := range p.runs {
		facts = append(facts, page.Fact{Term: "Routing", Text: r.Name})
	}
	facts = append(facts, page.Fact{Term: "Traffic", Text: s.Traffic}, page.Fact{Term: "Packets", Text: packetText(s)},
		page.Fact{Term: "Router", Text: fmt.Sprintf("model %s, switching %s", s.Engine.Timing, switchingOf(s))})
	if s.Engine.BufferFlits > 0 {
		facts = append(facts, page.Fact{Term: "Buffers", Text: wording.Count(s.Engine.BufferFlits, "flit", "s") + " for each VC"})
	}
	if s.Engine.Select != "" {
		facts = append(facts, page.Fact{Term: "Selection", Text: string(s.Engine.Select)})
	}
	if s.Engine.Arbiter != "" {
		facts = append(facts, page.Fact{Term: "Arbiter", Text: string(s.Engine.Arbiter)})
	}
	return append(facts, page.Fact{Term: "Seed", Text: fmt.Sprint(s.Seed)}, page.Fact{Term: "Reproduce with", Code: p.command})
}

// commandLine returns the command line, without the files that it writes except the page.
func commandLine(c *cli.Context, path string) string {
	words := []string{"turnproof", "sim", path}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if !c.IsSet(name) || cli.IsOutput(f) && name != "page" || name == "json" {
			continue
		}
		switch v := c.Value(name).(type) {
		case []int:
			for _, k := range v {
				words = append(words, fmt.Sprintf("--%s=%d", name, k))
			}
		case []string:
			for _, k := range v {
				words = append(words, fmt.Sprintf("--%s=%s", name, k))
			}
		default:
			words = append(words, fmt.Sprintf("--%s=%v", name, v))
		}
	}
	return wording.ShellLine(words...)
}
