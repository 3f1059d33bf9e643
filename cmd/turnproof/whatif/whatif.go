package whatif

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/internal/batch"
	"github.com/turnproof/turnproof/synth/opensm"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify/failures"
)

// Command returns the command whatif with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "whatif",
		Usage:        "route a fabric by the engines of the installed OpenSM, without and with failures, and judge each result",
		ArgsUsage:    "NETWORK --engines ENGINE[,ENGINE...] [--fail links:1] [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "The real OpenSM routes a copy of the fabric that ibsim simulates: no packet is sent to a real fabric.\n" +
			"NETWORK is a folder of dumps of InfiniBand, a topology file, or any other network. Of each engine the\n" +
			"forwarding tables, the SL-to-VL tables and the service levels of the paths, for which the subnet\n" +
			"administrator is asked, are judged as check does, for packets between hosts, and measured.\n" +
			"If NETWORK has tables, they come first, as engine \"present\". After a failure they stay as they are:\n" +
			"this is the fabric until OpenSM sweeps again. An engine that OpenSM lacks, or that cannot route the\n" +
			"fabric, is named. Needs Linux and the Debian packages opensm and ibsim-utils.\n" +
			"Exit status: 0 an engine is proved in all cases; 1 none is; 2 wrong usage or input; 3 none is, and\n" +
			"one of them is refuted in no case.\n\n" +
			"Examples:\n" +
			"  turnproof whatif dumps/ --engines all\n" +
			"  turnproof whatif dumps/ --engines updn,ftree,dfsssp,lash,nue --roots roots.txt --fail links:1\n" +
			"  turnproof whatif torus:4x4,hosts=2 --engines torus-2QoS --torus torus-2QoS.conf --fail switches:1 --journal whatif.journal",
		Flags: append([]cli.Flag{
			&cli.Text{StringFlag: cli.StringFlag{Name: "engines", Usage: "route by these routing engines of OpenSM, `ENGINE[,ENGINE...]`, or all of them",
				Value: "all"}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "fail", Category: cli.CategoryFailures,
				Usage: "also let each link or switch fail, or each pair, `links:1|links:2|switches:1|switches:2`"}, List: failWords()},
			&cli.Input{StringFlag: cli.StringFlag{Name: "roots", Category: cli.CategoryMethod,
				Usage: "read the GUIDs of the root switches of updn, dnup and ftree from `FILE`, one in a line (option -a of OpenSM)"}},
			&cli.Input{StringFlag: cli.StringFlag{Name: "torus", Category: cli.CategoryMethod,
				Usage: "read the description of the torus for torus-2QoS from `FILE` (option --torus_config of OpenSM)"}},
			&cli.Input{StringFlag: cli.StringFlag{Name: "opensm-config", Category: cli.CategoryMethod,
				Usage: "start from the configuration of OpenSM in `FILE`, such as /etc/opensm/opensm.conf"}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "out", Aliases: []string{"o"}, Category: cli.CategoryOutput,
				Usage: "keep the dumps of each run in `FOLDER`/ENGINE/now, FOLDER/ENGINE/failure-1, ..."}, Stored: true},
			&cli.Output{StringFlag: cli.StringFlag{Name: "page", Category: cli.CategoryOutput,
				Usage: "write the results to `FILE` as an HTML page; report --whatif puts those of --json on its own page"}},
			&cli.IntFlag{Name: "seconds", Value: int(opensm.DefaultLimit / time.Second), Category: cli.CategoryRun,
				Usage: "give OpenSM at most this many `SECONDS` for each run"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/whatif.json)", Category: cli.CategoryOutput},
			input.HostsFlag(), input.LMCFlag(),
		}, machines.Flags("runs", "none")...),
		Action: runWhatif,
	}
}

// failKinds are the values of --fail: what fails, and how many at once.
var failKinds = []struct {
	word   string
	kind   failures.Kind
	atOnce int
}{{"links:1", failures.Links, 1}, {"links:2", failures.Links, 2}, {"switches:1", failures.Switches, 1}, {"switches:2", failures.Switches, 2}}

func failWords() (list []string) {
	for _, k := range failKinds {
		list = append(list, k.word)
	}
	return list
}

// present is the name of the tables that the input has.
const present = "present"

func runWhatif(c *cli.Context) error {
	began := time.Now()
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	w, err := newWhatif(c, path)
	if err != nil {
		return err
	}
	results, done, err := machines.Run(c, w.work(c.App.Version), machines.Options{Skip: []string{"seconds", "out", "page"}})
	interrupted := err != nil && c.Context.Err() != nil && errors.Is(err, context.Canceled)
	if err != nil && !interrupted || !done && !interrupted {
		return err
	}
	out := w.sum(results, time.Since(began).Seconds())
	if file := c.String("page"); file != "" {
		if perr := w.writePage(c, out, file); perr != nil {
			return perr
		}
	}
	if c.Bool("json") {
		err = cmp.Or(cli.PrintJSON(c.App.Writer, out), err)
	} else {
		input.PrintNotes(c, w.in)
		input.PrintWarnings(c, w.in)
		out.print(c.App.Writer)
	}
	if interrupted {
		if ferr := cli.Flush(c); ferr != nil {
			return ferr
		}
		sayHowToGoOn(c, len(results), w.number())
		return err
	}
	if err != nil {
		return err
	}
	return out.status()
}

// sayHowToGoOn says after an interruption what is done, and how to continue.
func sayHowToGoOn(c *cli.Context, done, all int) {
	how := "nothing keeps them; with --journal FILE a later call continues"
	if file := c.String("journal"); file != "" {
		how = "they are in " + file + "; the same command continues"
	}
	fmt.Fprintf(c.App.ErrWriter, "turnproof: %d of %d runs are done: %s\n", done, all, how)
}

// checkOut returns an error if the folder of --out has files, unless a journal continues: dumps of another run would stay beside the new ones.
func checkOut(folder, journal string) error {
	if list, err := os.ReadDir(folder); folder == "" || err != nil || len(list) == 0 {
		return nil
	}
	if st, err := os.Stat(journal); journal != "" && err == nil && st.Size() > 0 {
		return nil
	}
	return fmt.Errorf("--out %s: it is not empty; want the name of a new folder", folder)
}

// newWhatif reads the flags and the input.
func newWhatif(c *cli.Context, path string) (*whatif, error) {
	if err := machines.CheckFlags(c, "out", "page"); err != nil {
		return nil, err
	}
	w := &whatif{folder: c.String("out"), how: opensm.Options{Roots: c.String("roots"), Torus: c.String("torus"), Config: c.String("opensm-config"),
		Limit: time.Duration(c.Int("seconds")) * time.Second}}
	if err := checkOut(w.folder, c.String("journal")); err != nil {
		return nil, err
	}
	if c.Int("seconds") < 1 {
		return nil, fmt.Errorf("--seconds %d: want 1 or more", c.Int("seconds"))
	}
	if word := c.String("fail"); word != "" {
		i := slices.Index(failWords(), word)
		if i < 0 {
			return nil, fmt.Errorf("--fail %s: want %s", word, strings.Join(failWords(), ", "))
		}
		w.fail, w.kind, w.atOnce = word, failKinds[i].kind, failKinds[i].atOnce
	}
	for _, flag := range []string{"roots", "torus", "opensm-config"} {
		if err := readable(c, flag); err != nil {
			return nil, err
		}
	}
	q, err := input.Request(c, path)
	if err != nil {
		return nil, err
	}
	q.Management, q.Multicast, q.Sums = "none", resolve.NoMulticast, true
	if w.in, err = input.Load(c, q); err != nil {
		return nil, err
	}
	if err := w.address(); err != nil {
		return nil, err
	}
	if err := checkRoots(w.how.Roots, w.net); err != nil {
		return nil, err
	}
	if w.tools, err = opensm.Find(c.Context); err != nil {
		return nil, err
	}
	return w, w.plan(c.String("engines"))
}

// readable returns an error if the file that a flag names cannot be read.
func readable(c *cli.Context, flag string) error {
	file := c.String(flag)
	if file == "" {
		return nil
	}
	cli.Reads(c, file)
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return f.Close()
}

// work returns the runs as a work with a journal.
func (w *whatif) work(version string) batch.Work[run] {
	header := batch.Header{Schema: "turnproof.whatif-journal/1", Hash: w.hash(), Items: w.number(), Stamp: version}
	return batch.Work[run]{N: w.number(), Hash: header.Hash, Run: "whatif", Item: "run",
		Format: batch.Indexed[run](header, "network, engines, files or kind of failures", nil), Compute: w.compute}
}
