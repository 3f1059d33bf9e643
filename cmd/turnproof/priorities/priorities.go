package priorities

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/synth/priorities"
	"github.com/turnproof/turnproof/synth/priorities/configure"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// assumed are the premises that --assume can accept.
var assumed = []string{"outside", "dumps", "all"}

// Command returns the command priorities with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:      "priorities",
		Usage:     "find the fewest lossless priorities that free an Ethernet fabric of deadlock, and configure them",
		ArgsUsage: "FOLDER [flags]",
		Description: "FOLDER has the routes and neighbours of each switch, as check reads it (docs/lossless-ethernet.md).\n" +
			"The routes stay. A switch changes the priority of a frame by rules: port by which it came, port by\n" +
			"which it leaves, priority (Tagger, CoNEXT 2017). The result is the fewest priorities, then the fewest\n" +
			"rules for them. \"At least\" is a lower bound for all rules: one priority has a deadlock, and a complete\n" +
			"search found no rules with fewer. The routes with these rules are proved by check and its independent\n" +
			"checker.\n" +
			"With --bounces K the routes are all paths up and down, and up again after they have come down at\n" +
			"most K times: what frames do when cables fail. The network needs levels.\n" +
			"If leaves share servers by tunnels (dual ToR of SONiC), frames get a priority of their own in tunnels.\n" +
			"--sonic writes a folder with the dumps and a new config_db.json of each switch. It is read back and\n" +
			"proved again.\n" +
			"Arista EOS and Cumulus Linux map traffic classes to queues once for all ports, which cannot express\n" +
			"such rules: nothing is written for them (docs/lossless-ethernet.md).\n" +
			"The output also names the fewest next hops to withdraw instead, and the neighbours whose routes do it.\n" +
			"--policies writes route maps for that, and proves the routes without these next hops.\n" +
			"Exit status: 0 proved, 1 no rules with as few priorities are found, or pairs are not connected, 2 wrong\n" +
			"usage or input, 3 undecided.\n\n" +
			"Examples:\n" +
			"  turnproof priorities roce/\n" +
			"  turnproof priorities roce/ --sonic new/\n" +
			"  turnproof priorities roce/ --bounces 1 --lossless 3,4 --dscp 26,34 --sonic bounces/",
		Flags: []cli.Flag{
			&cli.UintFlag{Name: "bounces", Usage: "prepare for all paths with at most `K` bounces, not only for the present routes"},
			&cli.Text{StringFlag: cli.StringFlag{Name: "lossless",
				Usage: "use these PFC `PRIORITIES` in this order (default: those of the folder, then 3,4,2,6,5,7,1)"}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "dscp",
				Usage: "mark the frames of each priority by these `DSCPS` (default: the numbers of the priorities)"}},
			&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Usage: "limit the search", Value: "10"}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "sonic", Usage: "write the dumps with config_db.json of SONiC to the new folder `DIR`",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "policies",
				Usage:    "write policies of BGP that withdraw the next hops instead, for FRR and Arista EOS, to the new folder `DIR`",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/priorities.json)", Category: cli.CategoryOutput},
			&cli.Words{StringFlag: cli.StringFlag{Name: "assume", Category: cli.CategoryChecked,
				Usage: "accept that what the folder leaves open is as assumed, `NAME[,NAME...]`: " + strings.Join(assumed, ", ")}, List: assumed, Open: true},
		},
		Action: runPriorities,
	}
}

// result is what the command has found.
type result struct {
	c         *cli.Context
	in        *resolve.Subject
	fabric    *ethernet.Found
	routes    *priorities.Routes
	found     *priorities.Found
	circle    []string // a deadlock of the routes in one priority
	withdrawn *priorities.Withdrawn
	rep       *verify.Report // of the routes with the rules
	bouncing  *verify.Report // of all paths with as many bounces as --bounces permits, or nil
	options   configure.Options
	read      *verify.Report // of the folder of --sonic, or nil
	filtered  *verify.Report // of the routes without the next hops of --policies, or nil
	tunnels   *tunnels       // of dual ToR, or nil: then there are rules
	seconds   float64
}

func runPriorities(c *cli.Context) error {
	began := time.Now()
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return err
	}
	path, err := cli.OneArgument(c, "FOLDER")
	if err != nil {
		return err
	}
	if err := errors.Join(cli.DistinctOutputs(c, "sonic", "policies"), outputs(c, path)); err != nil {
		return err
	}
	r := &result{c: c}
	if err := r.load(path); err != nil {
		return err
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Within(limit, "looking for priorities")
	if err := r.solve(limit, line); err != nil {
		return err
	}
	if r.rep != nil && r.found.Priorities > 0 {
		if err := r.write(); err != nil {
			return err
		}
	}
	if err := r.writePolicies(); err != nil {
		return err
	}
	r.seconds = time.Since(began).Seconds()
	if c.Bool("json") {
		err = cli.PrintJSON(c.App.Writer, r.json())
	} else {
		input.PrintNotes(c, r.in)
		input.PrintWarnings(c, r.in)
		r.print(c.App.Writer)
	}
	if err != nil {
		return err
	}
	return verdict.Status(r.verdict())
}

// solve finds the priorities and proves the result.
func (r *result) solve(limit time.Duration, line *cli.Progress) error {
	if r.fabric.HasTunnels() {
		return r.remap()
	}
	if err := r.find(limit); err != nil {
		return err
	}
	line.Say("proving the result")
	return r.prove()
}

// load reads the folder.
func (r *result) load(path string) (err error) {
	if r.in, err = input.Read(r.c, path, true, r.c.Bool("json")); err != nil {
		return err
	}
	f, ok := r.in.Source.(*ethernet.Found)
	if !ok {
		return fmt.Errorf("%s is no folder with the routes of Ethernet switches", path)
	}
	r.fabric = f
	switch _, dscps := f.Lossless(); {
	case f.HasTunnels() && dscps == nil:
		return fmt.Errorf("%s has PEER_SWITCH (dual ToR), and no switch has PORT_QOS_MAP; want config_db.json with it of every switch", path)
	case f.HasTunnels():
		return nil
	}
	if r.routes, err = priorities.Collect(r.c.Context, f.Routes(), f.IsHosts); errors.Is(err, priorities.ErrLoop) {
		return fmt.Errorf("%s: %w; turnproof check names it", path, err)
	}
	return err
}

// find finds the priorities.
func (r *result) find(limit time.Duration) (err error) {
	for _, ch := range r.routes.Circle() {
		r.circle = append(r.circle, r.channel(ch))
	}
	routes := r.routes
	if r.c.IsSet("bounces") {
		if routes, err = priorities.Bouncing(r.fabric.Routes().Network(), r.fabric.IsHosts, int(r.c.Uint("bounces"))); err != nil {
			return err
		}
	} else {
		r.withdrawn = priorities.Withdraw(r.c.Context, r.routes, limit/3)
	}
	if err := r.readNumbers(); err != nil {
		return err
	}
	r.found, err = priorities.Find(r.c.Context, routes, priorities.Options{Most: len(r.options.Priorities), Time: limit})
	if errors.Is(err, priorities.ErrMost) {
		return nil
	}
	return err
}

// prove decides the routes with the rules.
func (r *result) prove() error {
	if r.found.Priorities == 0 {
		return nil
	}
	o, err := judging.Options(r.c, r.in)
	if err != nil {
		return err
	}
	o.Doubts = r.fabric.WithoutPriorities(o.Doubts)
	o.Premises = r.fabric.PremiseOf(o.Premises, fmt.Sprintf("%d, with PFC on at every port", r.found.Priorities), "the rules")
	if r.rep, err = verify.Check(r.c.Context, priorities.Apply(r.fabric.Routes(), r.found), o); err != nil || !r.c.IsSet("bounces") {
		return err
	}
	all, err := priorities.BouncingRelation(r.fabric.Routes().Network(), r.fabric.IsHosts, int(r.c.Uint("bounces")))
	if err != nil {
		return err
	}
	r.bouncing, err = verify.Check(r.c.Context, priorities.Apply(all, r.found), o)
	return err
}

// verdict is that of the routes with the rules, as they are and as they are read back.
func (r *result) verdict() verify.Verdict {
	switch {
	case r.rep == nil && r.tunnels != nil:
		return r.tunnels.refusal.Verdict
	case r.rep == nil:
		return verify.Refuted
	}
	v := r.rep.Verdict()
	if r.bouncing != nil && r.bouncing.DeadlockFree.Verdict != verify.Proved {
		v = r.bouncing.DeadlockFree.Verdict
	}
	if r.filtered != nil && r.filtered.Verdict() != verify.Proved {
		v = r.filtered.Verdict()
	}
	if r.read != nil && r.read.Verdict() != verify.Proved {
		v = r.read.Verdict()
	}
	return v
}
