package check

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/format/meshgraph"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/ttfabric"
)

// This file checks a folder of mesh graph descriptors: a row for each file, config and date of rules.

// withDescriptors are the flags that go with a folder of descriptors.
var withDescriptors = []string{meshgraph.SettingFabric, meshgraph.SettingRules, meshgraph.SettingOptions, "json", "sarif", "junit"}

// descriptorRow is the verdict on a descriptor under one config and one date of rules.
type descriptorRow struct {
	File    string           `json:"file"`
	Line    int              `json:"line"` // of a refusal, or 1
	Config  string           `json:"fabric_config"`
	Rules   string           `json:"rules"`
	Verdict ttfabric.Verdict `json:"verdict"`
	Why     string           `json:"why"`
	Chips   int              `json:"chips"`
	Cables  int              `json:"cables"`
	Assumed bool             `json:"assumed_cables"`
	Seconds float64          `json:"seconds"`
}

// refused is the verdict on a descriptor with which the fabric does not start.
const refused ttfabric.Verdict = "refused"

// empty is the verdict on a descriptor in which nothing is sent.
const empty ttfabric.Verdict = "empty"

// descriptorsIn returns the mesh graph descriptors of a folder, or nil if path is no folder or has none.
func descriptorsIn(path string) (list []string) {
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return nil
	}
	names, _ := filepath.Glob(filepath.Join(escaped(path), "*.textproto"))
	for _, name := range names {
		if meshgraph.Is(name) {
			list = append(list, name)
		}
	}
	return list
}

// escaped escapes what filepath.Match reads as a pattern.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func runDescriptors(c *cli.Context, folder string, files []string) error {
	for _, flag := range c.Command.Flags {
		if name := flag.Names()[0]; c.IsSet(name) && !slices.Contains(withDescriptors, name) {
			return fmt.Errorf("--%s does not go with a folder of mesh graph descriptors, and %s is one", name, folder)
		}
	}
	began := time.Now()
	var rows []descriptorRow
	for _, file := range files {
		cli.Reads(c, file)
		cli.ProgressOf(c.App.ErrWriter).Say("checking %s", file)
		list, err := rowsOf(c, file)
		if err != nil {
			return err
		}
		rows = append(rows, list...)
	}
	if !slices.ContainsFunc(rows, func(x descriptorRow) bool { return x.Verdict != empty }) {
		return fmt.Errorf("%s: nothing to judge: no descriptor has chips that send to each other", folder)
	}
	err := errors.Join(writeRows(c, "sarif", rows, rowsSARIF), writeRows(c, "junit", rows, rowsJUnit))
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		err = cli.PrintJSON(c.App.Writer, map[string]any{"schema": "turnproof.descriptors/1", "folder": folder, "rows": rows,
			"seconds": time.Since(began).Seconds()})
	default:
		printRows(c.App.Writer, folder, rows, time.Since(began).Seconds())
	}
	if err != nil {
		return err
	}
	return verdict.Status(rowsVerdict(rows))
}

// rowsVerdict returns the worst verdict.
func rowsVerdict(rows []descriptorRow) verify.Verdict {
	worst := verify.Proved
	for i := range rows {
		switch rows[i].Verdict {
		case ttfabric.Free, empty:
		case ttfabric.Undecided:
			worst = worse(worst, verify.Undecided)
		default:
			worst = verify.Refuted
		}
	}
	return worst
}

// rowsOf decides a descriptor. Without --fabric it takes FABRIC_2D and the config that the descriptor declares. --rules may list dates.
func rowsOf(c *cli.Context, file string) (rows []descriptorRow, err error) {
	given := input.Settings(c)
	if given == nil {
		given = map[string]string{}
	}
	configs := []string{given[meshgraph.SettingFabric]}
	if configs[0] == "" && given[meshgraph.SettingOptions] == "" {
		configs = meshgraph.DeclaredConfigs(file)
	}
	for _, config := range configs {
		for rules := range strings.SplitSeq(given[meshgraph.SettingRules], ",") {
			one := maps.Clone(given)
			one[meshgraph.SettingFabric], one[meshgraph.SettingRules] = config, rules
			row, err := rowOf(c, file, one)
			if err != nil {
				return nil, err
			}
			rows = append(rows, *row)
		}
	}
	return rows, nil
}

// rowOf decides one row.
func rowOf(c *cli.Context, file string, given map[string]string) (*descriptorRow, error) {
	began := time.Now()
	row := &descriptorRow{File: file, Line: 1, Config: given[meshgraph.SettingFabric], Rules: given[meshgraph.SettingRules], Verdict: refused}
	f, err := meshgraph.Load(file, given, nil)
	if err != nil {
		var at *textfile.Error
		if !errors.As(err, &at) {
			return nil, err // of the settings
		}
		row.Line, row.Why = max(1, at.Line), at.Msg
		return row, nil
	}
	row.Config, row.Rules = f.ConfigText(), f.Options.Rules
	row.Chips, row.Cables, row.Assumed = f.Net.NumSwitches(), len(f.Cables), f.Assumed
	rep, err := ttfabric.Decide(c.Context, f)
	var none *verify.NoPairs
	if errors.As(err, &none) {
		row.Verdict, row.Why = empty, none.Error()
		return row, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	a, err := ttfabric.NewAnswer(c.Context, f, rep)
	if err != nil {
		return nil, err
	}
	row.Verdict, row.Why, row.Seconds = a.Verdict, strings.Join(a.Why, "; "), time.Since(began).Seconds()
	if a.CycleLength > 0 {
		row.Why = fmt.Sprintf("a cycle of %s on VC %s from %s on", wording.Count(a.CycleLength, "channel", "s"), strings.Join(a.VCs, ", "), a.Cycle[0])
	}
	return row, nil
}

func printRows(w io.Writer, folder string, rows []descriptorRow, seconds float64) {
	table := [][]string{{"file", "config", "rules", "chips", "cables", "verdict"}}
	for i := range rows {
		x := &rows[i]
		cables := fmt.Sprint(x.Cables)
		if x.Assumed {
			cables += " (assumed)"
		}
		says := strings.TrimSuffix(string(x.Verdict)+": "+x.Why, ": ")
		table = append(table, []string{filepath.Base(x.File), x.Config, x.Rules, fmt.Sprint(x.Chips), cables, says})
	}
	width := make([]int, len(table[0]))
	for _, row := range table {
		for k, text := range row {
			width[k] = max(width[k], len(text))
		}
	}
	for _, row := range table {
		for k, text := range row[:len(row)-1] {
			fmt.Fprintf(w, "%-*s  ", width[k], plain.Text(text))
		}
		fmt.Fprintln(w, plain.Text(row[len(row)-1]))
	}
	fmt.Fprintf(w, "\n%s: %s. The independent checker accepted every verdict. %.3f s\n", plain.Text(folder), wording.Count(len(rows), "row", "s"), seconds)
}

// writeRows writes the file of a flag, if it is set.
func writeRows(c *cli.Context, flag string, rows []descriptorRow, write func(io.Writer, string, []descriptorRow) error) error {
	if c.String(flag) == "" {
		return nil
	}
	return cli.WriteFile(c, c.String(flag), func(w io.Writer) error { return write(w, c.App.Version, rows) })
}

// rowsSARIF writes a result for each row.
func rowsSARIF(w io.Writer, version string, rows []descriptorRow) error {
	run := newSARIF(version, true)
	run.Tool.Driver.Rules = []sarifRule{{"fabric", sarifText{"The fabric starts, and every packet arrives."}}}
	for i := range rows {
		x := &rows[i]
		text := fmt.Sprintf("%s, rules %s: %s", x.Config, x.Rules, strings.TrimSuffix(string(x.Verdict)+": "+x.Why, ": "))
		r := sarifResult{RuleID: "fabric", Level: "error", Message: sarifText{text}}
		switch x.Verdict {
		case ttfabric.Free:
			r.Kind, r.Level = "pass", "none"
		case empty:
			r.Kind, r.Level = "notApplicable", "none"
		case ttfabric.Undecided:
			r.Level = "warning"
		}
		var l sarifLocation
		l.Physical.File.URI, l.Physical.Region.Line = UriOf(x.File), x.Line
		if i == 0 || rows[i-1].File != x.File {
			run.Artifacts = append(run.Artifacts, sarifArtifact{l.Physical.File})
		}
		r.Locations = []sarifLocation{l}
		run.Results = append(run.Results, r)
	}
	return encodeSARIF(w, run)
}

// rowsJUnit writes a test case for each row.
func rowsJUnit(w io.Writer, _ string, rows []descriptorRow) error {
	suite := junitSuite{Name: "turnproof check"}
	seconds := 0.0
	for i := range rows {
		x := &rows[i]
		seconds += x.Seconds
		tc := junitCase{Class: filepath.Base(x.File), Name: x.Config + " " + x.Rules}
		switch x.Verdict {
		case ttfabric.Free:
		case empty:
			tc.Skipped = &junitSkipped{x.Why}
			suite.Skipped++
		default:
			tc.Failure = &junitFailure{string(x.Verdict) + ": " + x.Why, string(x.Verdict), fmt.Sprintf("%s:%d", x.File, x.Line)}
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, tc)
	}
	suite.Time = fmt.Sprintf("%.3f", seconds)
	return encodeJUnit(w, suite)
}
