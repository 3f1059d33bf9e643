package check

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/mending"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/mend"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file implements check --mend: it repairs forwarding tables with the fewest changed entries.

func mendFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Output{StringFlag: cli.StringFlag{Name: "mend",
			Usage: "if a claim fails, find the fewest table entries to change, prove the changed tables and write them to `FILE` (forwarding tables of " +
				"InfiniBand: load with opensm -R file -U FILE; others: CSV)", Category: cli.CategoryFailures}},
		&cli.Memory{StringFlag: cli.StringFlag{Name: "memory", Usage: "limit the memory of --mend to `SIZE`, such as 512M or 4G",
			DefaultText: "half of the machine", Category: cli.CategoryFailures}},
		&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Value: fmt.Sprint(mend.DefaultTime.Seconds()),
			Usage: "limit the search of --mend, or of finite flows with their check; these have no limit by default", Category: cli.CategoryFailures}},
	}
}

// mendable returns an error if --mend is set but does not apply to the input, or if its limits are
// invalid.
func mendable(c *cli.Context, in *resolve.Subject, rep *verify.Report) error {
	switch {
	case c.String("mend") != "" && in.Net.OneWayLinks() > 0:
		return fmt.Errorf("--mend needs both directions of each link; %s has links of one direction", in.Name)
	case c.String("mend") == "":
		return nil
	case ethernetFound(in) != nil:
		return errors.New("--mend changes tables of single next hops; for routes with ECMP, turnproof priorities finds rules, or next hops to withdraw")
	case in.Tables() == nil && !keepsHops(in):
		return fmt.Errorf("--mend changes forwarding tables; --routing %s is not a table", in.Routing)
	}
	_, err := mending.TableOf(in)
	if err == nil {
		_, err = cli.ReadSeconds(c, "seconds")
	}
	if _, wrong := cli.ReadMemory(c, "memory"); err == nil {
		err = wrong
	}
	return err
}

// mendTables repairs tables that are not proved, and writes the result to the file of --mend. o has the
// options of the check. It returns nil if --mend is not set or the tables are proved. If no better tables are
// found, the result says why. If c.Context is cancelled, mendTables proves and writes the best tables found so far.
func mendTables(c *cli.Context, in *resolve.Subject, rep *verify.Report, o verify.Options) (*mended, error) {
	file := c.String("mend")
	if file == "" || rep.Verdict() == verify.Proved {
		return nil, nil
	}
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return nil, err
	}
	memory, err := cli.ReadMemory(c, "memory")
	if err != nil {
		return nil, err
	}
	cli.ProgressOf(c.App.ErrWriter).Again("mending")
	cli.ProgressOf(c.App.ErrWriter).Within(limit, "looking for the fewest entries to change")
	found, err := mending.Find(c.Context, in, rep, o, mend.Options{Time: limit, Memory: memory},
		func() { cli.ProgressOf(c.App.ErrWriter).Say("proving the mended tables") })
	if err != nil {
		return nil, err
	}
	m, given, after := found.Mended, found.Given, found.After
	if after == nil {
		return unmended(given, found.Reason), nil
	}
	if len(m.Changes) == 0 {
		return &mended{newMended(m, given, after), after}, nil
	}
	if err := cli.WriteFile(c, file, func(w io.Writer) error { return mending.Write(w, m.Table, in.Tables() != nil) }); err != nil {
		return nil, err
	}
	j := newMended(m, given, after)
	j.Quality, err = quality.Compare(context.WithoutCancel(c.Context), mending.OnFlows(in, given), mending.OnFlows(in, m.Table))
	return &mended{j, after}, err
}

// mended are the results of --mend: the changes, and the report about the mended tables, which is nil if there are none.
type mended struct {
	*mendJSON
	after *verify.Report
}

// unmended returns the results if no tables were made, for a reason. The verdict about the given tables holds, so that is no error.
func unmended(given *model.Table, reason string) *mended {
	return &mended{&mendJSON{Verdict: "none", Reason: reason, Entries: given.Entries(), Changes: []mending.Change{}}, nil}
}

func newMended(m *mend.Mended, given *model.Table, after *verify.Report) *mendJSON {
	return &mendJSON{Verdict: string(after.Verdict()), Entries: given.Entries(), LowerBound: m.Bound, BoundOf: mending.BoundOf(after), Optimal: m.Optimal(),
		Reason: verdict.Unproved(after), Management: verdict.NewTrafficJSON(after), Longest: after.Routes.Longest, Changes: mending.Changes(m, given)}
}

// printMend lists the changed entries. m is nil if --mend is not set, if the tables are proved, or after an interruption.
func printMend(w io.Writer, in *resolve.Subject, m *mended, rep *verify.Report, file string) {
	switch {
	case m == nil && (file == "" || rep.Verdict() != verify.Proved):
		return
	case m == nil:
		fmt.Fprintf(w, "\nNothing to mend: the tables are proved. %s was not written.\n", file)
		verdict.PrintMendedManagement(w, rep)
		return
	case m.after == nil:
		fmt.Fprintf(w, "\nNot mended: %s. %s was not written.\n", m.Reason, file)
		return
	case len(m.Changes) == 0:
		fmt.Fprintf(w, "\nNothing to mend: the tables lose no packet and have no cycle of dependencies. %s was not written.\n", file)
		return
	}
	fmt.Fprintf(w, "\nMended by changing %d of %s (%s):\n", len(m.Changes), wording.Count(m.Entries, "entr", "ies", "y"),
		mending.LeastText(m.LowerBound, m.Optimal, m.BoundOf))
	for i, x := range m.Changes {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(m.Changes)-i, "entr", "ies", "y"))
			break
		}
		old := "where it had no entry"
		if x.OldPort != nil {
			old = fmt.Sprintf("instead of port %d", *x.OldPort)
		}
		lid := ""
		if x.LID > 0 {
			lid = fmt.Sprintf(" (LID %d)", x.LID)
		}
		fmt.Fprintf(w, "  %s sends to %s%s by port %d, to %s, %s\n", x.Switch, x.Destination, lid, x.NewPort, x.Next, old)
	}
	if m.after.Verdict() == verify.Proved {
		fmt.Fprintf(w, "  The tables in %s are proved: deadlock-free, connected, livelock-free; no packet passes more\n  than %s.", file,
			wording.Count(m.Longest, "switch", "es"))
	} else {
		fmt.Fprintf(w, "  The tables in %s are UNDECIDED: %s.\n  No packet passes more than %s.", file, m.Reason, wording.Count(m.Longest, "switch", "es"))
	}
	if rep.Routes.Loop == nil {
		fmt.Fprintf(w, " Before: %d.", rep.Routes.Longest)
	}
	if in.Tables() != nil {
		fmt.Fprintf(w, " Load them with: opensm -R file -U %s", file)
	}
	fmt.Fprintln(w)
	if text := mending.PairsText(rep); text != "" {
		fmt.Fprintf(w, "  %s\n", text)
	}
	if m.Quality != nil {
		fmt.Fprintf(w, "  %s", m.Quality.Sentence())
	}
	verdict.PrintMendedManagement(w, m.after)
}
