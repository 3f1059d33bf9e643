package prove

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file proves the entries of a list.

// outcome is what the proof of an entry of the list has given.
type outcome struct {
	*finished
	program *program.Program
	err     error
}

// A prover proves the entries of a list.
type prover struct {
	word    string // the argument of the command
	list    []toProve
	options parametric.Options // for each entry, without its dimensions
	lengths bool               // bound the paths, too
	inputs  []cert.Input
	stored  *store
	line    *cli.Progress
}

// proveAll proves all entries of the list, and passes each result to found.
func (x *prover) proveAll(ctx context.Context, found func(*finished)) error {
	return proveAll(ctx, x.list, x.prove, found)
}

// prove returns the stored proofs of entry i, or proves the entry, lets the checker judge it, and stores it.
func (x *prover) prove(ctx context.Context, i int) (*finished, error) {
	if f := x.stored.find(i); f != nil {
		return f, nil
	}
	t, o := x.list[i], x.options
	o.Dims = t.dims
	o.Progress = func(what string) { x.line.Tell("%s, %d dimensions: %s", t.program.Name, t.dims, what) }
	reports, err := proveEach(ctx, t, o)
	if err == nil && x.lengths {
		err = boundLengths(ctx, reports)
	}
	for _, r := range reports {
		if err == nil && r.Refutes("fully-adaptive") {
			r.Degree, err = r.Degrees(ctx)
		}
		if err == nil {
			err = judge(ctx, t, o, r, x.inputs)
		}
	}
	if err != nil {
		return nil, err
	}
	f, err := newFinished(i, x.word, reports)
	if err != nil {
		return nil, err
	}
	return f, x.stored.add(f)
}

// proveAll calls prove for the entries of a list, several at once, and passes each result to found in ascending order,
// as soon as those before it are finished. It ends with the first entry that fails; later entries are stopped. If an entry is refuted, or proved for
// every number of dimensions, later entries of the same program are left out, unless they were asked for.
func proveAll(ctx context.Context, list []toProve, prove func(context.Context, int) (*finished, error), found func(*finished)) error {
	rest, stop := context.WithCancel(ctx)
	defer stop()
	runs := map[*program.Program]context.Context{}
	covered := map[*program.Program]context.CancelFunc{}
	for _, t := range list {
		if runs[t.program] == nil {
			runs[t.program], covered[t.program] = context.WithCancel(rest)
		}
	}
	ended := false
	var failed error
	err := parallel.InOrder(ctx, parallel.Workers(len(list)), len(list), func(_, i int, o *outcome) error {
		if *o = (outcome{program: list[i].program}); runs[o.program].Err() == nil {
			o.finished, o.err = prove(runs[o.program], i)
		}
		return ctx.Err()
	}, func(o *outcome) {
		if ended || covered[o.program] == nil {
			return
		}
		if failed = o.err; failed == nil {
			found(o.finished)
		}
		switch {
		case failed != nil:
			ended = true
			stop()
		case (o.EveryDimension || o.isRefuted()) && !list[o.Entry].asked:
			covered[o.program]()
			covered[o.program] = nil
		}
	})
	return cmp.Or(failed, err)
}

// proveEach proves a program for the switching discipline of o, or for each discipline if it is
// empty.
func proveEach(ctx context.Context, t toProve, o parametric.Options) (list []*parametric.Report, err error) {
	if o.Switching == "" && o.Flow == nil && (o.Claims == nil || slices.Contains(o.Claims, "deadlock-free")) {
		list, err = parametric.ProveOpen(ctx, t.program, o)
	} else {
		list = make([]*parametric.Report, 1)
		list[0], err = parametric.Prove(ctx, t.program, o)
	}
	if err != nil {
		return nil, fmt.Errorf("prove: %w", err)
	}
	return list, nil
}

// boundLengths bounds the paths of the proved reports, and notes where no bound was found.
func boundLengths(ctx context.Context, reports []*parametric.Report) (err error) {
	for _, r := range reports {
		if r.Verdict != verify.Proved {
			continue
		}
		if r.EveryDimension {
			r.Notes = append(r.Notes, "no bound on the paths: the proof is for every number of dimensions")
			continue
		}
		if r.Length, err = r.BoundLength(ctx); err != nil {
			return fmt.Errorf("--length: %w", err)
		}
		if r.Length == nil {
			r.Notes = append(r.Notes, "no bound on the paths was found")
		}
	}
	return nil
}

// judge lets the independent checker judge a report: nothing else is called proved. If the search finds no certificate, but the proof
// in one dimension holds for every number of dimensions, it takes the certificate of that proof.
func judge(ctx context.Context, t toProve, o parametric.Options, r *parametric.Report, inputs []cert.Input) error {
	progress := func(kind string, done int) {
		if done%16 == 0 {
			o.Progress(fmt.Sprintf("certificate, obligation %d (%s)", done, kind))
		}
	}
	if err := r.Judge(ctx, inputs, progress); err != nil || r.Unjudged == "" || t.program.Family.AnyDims == "" || t.dims == 1 ||
		o.Claims != nil || o.Flow != nil || o.Faults != nil || r.Length != nil {
		r.Withdraw()
		return err
	}
	o.Dims = 1
	one, err := proveEach(ctx, t, o)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(one, func(one *parametric.Report) bool {
		return one.EveryDimension && slices.Equal(one.Switching, r.Switching)
	})
	if i < 0 {
		r.Withdraw()
		return nil
	}
	if err := one[i].Judge(ctx, inputs, progress); err != nil {
		return err
	}
	if one[i].Unjudged == "" {
		r.TakeCertificate(one[i])
	}
	r.Withdraw()
	return nil
}
