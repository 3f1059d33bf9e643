package check

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/folder"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file checks several networks in one run, such as the subnets or rails of a cluster: a verdict on each, and one exit status.

// withNetworks are the flags that go with several networks.
var withNetworks = []string{"routing", "paths", input.ManagementFlagName, "multicast", "lmc", "switching", "waiting", "strict", "assume", "quality", "max-load",
	"max-hops", "max-unused", "cross-check", "check", "sarif", "junit", "json"}

// networkRun is the run on one of several networks.
type networkRun struct {
	*run
	name string
	err  error // why there is no verdict, or nil
}

// networksIn returns the networks that the arguments name. A folder without dumps, whose subfolders have them, stands for these. isList is
// set unless the arguments name one network.
func networksIn(c *cli.Context) (list []string, isList bool) {
	isList = c.NArg() > 1
	for _, path := range c.Args().Slice() {
		if format.FolderOf(path) != nil || descriptorsIn(path) != nil {
			list = append(list, path)
			continue
		}
		subnets, others := folder.Subnets(path)
		if subnets == nil {
			list = append(list, path)
			continue
		}
		isList, list = true, append(list, subnets...)
		for _, other := range others {
			if format.FolderOf(other) != nil || descriptorsIn(other) != nil {
				list = append(list, other)
				continue
			}
			fmt.Fprintf(c.App.ErrWriter, "note: no dump in %s: left aside\n", plain.Text(other))
		}
	}
	return list, isList
}

// runNetworks checks networks one after the other. One that cannot be read is an error, and the others are still checked.
func runNetworks(c *cli.Context, paths []string) error {
	began := time.Now()
	if err := checkNetworksFlags(c); err != nil {
		return err
	}
	if err := checkTwice(paths); err != nil {
		return err
	}
	var list []*networkRun
	for i, path := range paths {
		x := &networkRun{name: path, run: &run{c: c, began: time.Now(), line: cli.ProgressOf(c.App.ErrWriter)}}
		x.line.Say("checking %s", path)
		if !c.Bool("json") && i > 0 {
			fmt.Fprintln(c.App.Writer)
		}
		if x.err = x.one(path); c.Context.Err() != nil {
			return c.Context.Err()
		}
		if x.err != nil {
			x.err = errors.New(strings.TrimPrefix(x.err.Error(), "format: "))
			fmt.Fprintln(cli.Warnings(c), "turnproof:", plain.Text(x.reason()))
		}
		list = append(list, x)
	}
	if err := writeNetworks(c, list); err != nil {
		return err
	}
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, networksJSON(list, time.Since(began).Seconds())); err != nil {
			return err
		}
	} else {
		printNetworks(c.App.Writer, list, time.Since(began).Seconds())
	}
	if slices.ContainsFunc(list, func(x *networkRun) bool { return x.err != nil }) {
		return cli.Status(cli.ExitUsage)
	}
	return verdict.Status(worstOf(list))
}

// checkNetworksFlags fails for flags that belong to one network.
func checkNetworksFlags(c *cli.Context) error {
	for _, flag := range c.Command.Flags {
		if name := flag.Names()[0]; c.IsSet(name) && !slices.Contains(withNetworks, name) {
			return fmt.Errorf("--%s does not go with several networks; run check on each of them", name)
		}
	}
	if r := c.String("routing"); r != "" {
		if !resolve.IsRoutingName(r) {
			return fmt.Errorf("--routing %s: several networks take the NAME of a routing, or the tables in the folder of each", r)
		}
		if name, _, _ := strings.Cut(r, ","); !slices.Contains(resolve.RoutingNames(), name) {
			return fmt.Errorf("--routing %s: there is no such routing%s; \"turnproof routings\" lists the names", r,
				spelling.Suggest(name, resolve.RoutingNames()))
		}
	}
	if m := c.String("multicast"); m != "" && m != "none" {
		return fmt.Errorf("--multicast %s: several networks take none, or the tables in the folder of each", m)
	}
	return nil
}

// checkTwice fails if two paths are one file or folder: a slip in a script would leave a network out.
func checkTwice(paths []string) error {
	var known []os.FileInfo
	for i, path := range paths {
		st, err := os.Stat(path)
		for k := range i {
			if paths[k] == path || err == nil && known[k] != nil && os.SameFile(known[k], st) {
				return fmt.Errorf("%s and %s are the same network; want each once", paths[k], path)
			}
		}
		if err != nil {
			st = nil
		}
		known = append(known, st)
	}
	return nil
}

// reason returns the error with the name of the network.
func (x *networkRun) reason() string {
	if text := x.err.Error(); strings.HasPrefix(text, x.name) {
		return text
	}
	return x.name + ": " + x.err.Error()
}

// one checks a network, and prints the text output.
func (x *networkRun) one(path string) error {
	if err := x.read(path); err != nil {
		return err
	}
	for _, step := range []func() error{x.decide, x.askOthers, x.measure, x.advise} {
		if err := step(); err != nil {
			return err
		}
	}
	if x.c.Bool("json") {
		return nil
	}
	return x.print()
}

// verdict returns the verdict of a network that has one.
func (x *networkRun) verdict() verify.Verdict {
	if x.quality.Exceeded() {
		return verify.Refuted
	}
	return x.rep.Verdict()
}

// worstOf returns the worst verdict.
func worstOf(list []*networkRun) verify.Verdict {
	worst := verify.Proved
	for _, x := range list {
		if x.err == nil {
			worst = worse(worst, x.verdict())
		}
	}
	return worst
}

// says returns the verdict in words, or the error.
func (x *networkRun) says() string {
	switch {
	case x.err != nil:
		return "ERROR: " + x.err.Error()
	case x.quality.Exceeded():
		return explain.Overall(x.rep) + ", a limit is exceeded"
	}
	return explain.Overall(x.rep)
}

// writeNetworks writes the files of --sarif (a run for each network) and --junit (a suite for each).
func writeNetworks(c *cli.Context, list []*networkRun) error {
	var runs []sarifRun
	var suites []junitSuite
	for _, x := range list {
		if x.err != nil {
			runs, suites = append(runs, failedSARIF(c.App.Version, x.reason())), append(suites, failedJUnit(x.name, x.err.Error()))
			continue
		}
		found, err := allFindings(x.found())
		if err != nil {
			return err
		}
		runs = append(runs, sarifOf(c.App.Version, x.in, x.rep, found))
		suites = append(suites, junitOf(x.in, x.rep, found, time.Since(x.began).Seconds()))
	}
	if f := c.String("sarif"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return encodeSARIF(w, runs...) }); err != nil {
			return err
		}
	}
	if f := c.String("junit"); f != "" {
		return cli.WriteFile(c, f, func(w io.Writer) error { return encodeJUnit(w, suites...) })
	}
	return nil
}

// networkJSON is the result on one of several networks.
type networkJSON struct {
	Network string      `json:"network"`
	Verdict string      `json:"verdict"` // proved, refuted, undecided or error
	Says    string      `json:"says"`    // as the last column of the table
	Result  *resultJSON `json:"result,omitempty"`
}

// networksJSON is the output of --json.
func networksJSON(list []*networkRun, seconds float64) any {
	all, rows := string(worstOf(list)), []networkJSON{}
	for _, x := range list {
		row := networkJSON{Network: x.name, Verdict: "error", Says: x.says()}
		if x.err == nil {
			result := x.json()
			row.Verdict, row.Result = string(x.verdict()), &result
		} else {
			all = "error"
		}
		rows = append(rows, row)
	}
	return map[string]any{"schema": "turnproof.checks/1", "verdict": all, "networks": rows, "seconds": seconds}
}

// overLimit are the words for networks that are proved and exceed a limit.
const overLimit = "PROVED with a limit exceeded"

// printNetworks prints the table of verdicts.
func printNetworks(w io.Writer, list []*networkRun, seconds float64) {
	table, width := [][]string{{"network", "switches", "hosts", "links", "verdict"}}, make([]int, 5)
	count := map[string]int{}
	for _, x := range list {
		row := []string{plain.Text(x.name), "-", "-", "-", plain.Text(x.says())}
		word := "with an ERROR"
		if x.err == nil {
			n := x.in.Net
			row[1], row[2], row[3] = fmt.Sprint(n.NumSwitches()), fmt.Sprint(n.NumHosts()), fmt.Sprint(n.NumLinks())
			word = strings.ToUpper(string(x.rep.Verdict()))
			if x.quality.Exceeded() && x.rep.Verdict() == verify.Proved {
				word = overLimit
			}
		}
		count[word]++
		table = append(table, row)
	}
	for _, row := range table {
		for k, text := range row {
			width[k] = max(width[k], len(text))
		}
	}
	fmt.Fprintln(w)
	for _, row := range table {
		for k, text := range row[:4] {
			fmt.Fprintf(w, "%-*s  ", width[k], text)
		}
		fmt.Fprintln(w, row[4])
	}
	var words []string
	for _, word := range []string{"PROVED", overLimit, "UNDECIDED", "REFUTED", "with an ERROR"} {
		if count[word] > 0 {
			words = append(words, fmt.Sprintf("%d %s", count[word], word))
		}
	}
	fmt.Fprintf(w, "\n%s: %s. %.3f s\n", wording.Count(len(list), "network", "s"), strings.Join(words, ", "), seconds)
}
