package agree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file has the table of judges, and compares their answers.

// answers has a verdict for each claim; an empty one is no answer.
type answers [numClaims]verdict

// judge answers some claims about a subject. An error means that the evidence of another judge is wrong.
type judge struct {
	name string
	ask  func(ctx context.Context, s *subject) (answers, error)
}

// subject is a case before the judges.
type subject struct {
	c    *Case
	seed uint64 // of random choices of judges
	rel  model.Relation
	w    *walk
	rep  *verify.Report // of the relation as it is, from the first judge
	flat *verify.Report // of the relation as a list of states, from the second judge
}

// judges lists the judges in the order in which they are asked. Later ones use the reports of the first
// two.
var judges = []judge{
	{"verify.Check", askVerify},
	{"verify.Check, state by state", askFlat},
	{"certificate, written, read and checked", askCertificate},
	{"packets one by one", askWalk},
	{"SAT, rising numbers and configurations", askSAT},
	{"Z3, rising numbers", askZ3},
	{"all sets of VCs", askSets},
	{"simulator", askSimulator},
	{"simulator, by flits and by packet events", askKernels},
	{"all states of the network", askStates},
}

// disagreement is the reason to keep a case.
type disagreement struct {
	Sort string // the claim and the two judges, the same for similar disagreements
	Text string
}

// judged has the answers about a case.
type judged struct {
	said     []answers // by judge
	evidence []string  // in the certificate of verify.Check
	wrong    *disagreement
}

// judgeCase asks all judges of a panel about a case.
func judgeCase(ctx context.Context, panel []judge, c *Case, seed uint64) (j judged, err error) {
	rel, err := c.relation()
	if err != nil {
		return j, fmt.Errorf("%v: %w", c, err)
	}
	spelled := c
	if c.Named != nil {
		spelled = written(c.Kind, c.Switching, rel)
		spelled.Waiting = c.Waiting
	}
	s := &subject{c: spelled, seed: seed, rel: rel, w: newWalk(spelled.expanded())}
	j.said = make([]answers, len(panel))
	for i, who := range panel {
		var bad error
		j.said[i], bad = who.safely(ctx, s)
		if ctx.Err() != nil {
			return j, ctx.Err()
		}
		if bad != nil {
			j.wrong = &disagreement{who.name + " fails", fmt.Sprintf("%s: %v", who.name, bad)}
			return j, nil
		}
	}
	if s.rep != nil {
		for _, k := range s.rep.Certificate.Claims {
			j.evidence = append(j.evidence, k.Evidence)
		}
	}
	j.wrong = compare(panel, j.said)
	return j, nil
}

// safely asks a judge and turns a panic into an error.
func (who judge) safely(ctx context.Context, s *subject) (a answers, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panics: %v", p)
		}
	}()
	return who.ask(ctx, s)
}

// compare returns two answers that contradict each other, or nil.
func compare(panel []judge, said []answers) *disagreement {
	decided := func(v verdict) bool { return v == proved || v == refuted }
	for k := range numClaims {
		for a := range said {
			for b := range a {
				if decided(said[a][k]) && decided(said[b][k]) && said[a][k] != said[b][k] {
					return &disagreement{fmt.Sprintf("%v: %s, %s", k, panel[b].name, panel[a].name),
						fmt.Sprintf("%v is %s to %s, %s to %s", k, said[b][k], panel[b].name, said[a][k], panel[a].name)}
				}
			}
		}
	}
	for a, who := range panel {
		if free := said[a][deadlockFree]; said[a][acyclic] == proved && free != "" && free != proved {
			return &disagreement{"acyclic but not deadlock-free: " + who.name, who.name + " proves acyclic and not deadlock-free"}
		}
	}
	return nil
}

func askVerify(ctx context.Context, s *subject) (a answers, err error) {
	s.rep, err = verify.Check(ctx, s.rel, verify.Options{Switching: model.Switching(s.c.Switching), Waiting: model.Waiting(s.c.Waiting), NoPairs: true})
	if err != nil {
		return a, err
	}
	return verdicts(s.rep), nil
}

// askFlat checks the relation as a list of states, if it is more than that: a table, a routing of a grid,
// or a relation with an escape.
func askFlat(ctx context.Context, s *subject) (a answers, err error) {
	if _, plain := s.rel.(*explicit); plain || s.c.Waiting == waitsMixed {
		s.flat = s.rep
		return a, nil
	}
	o := verify.Options{Switching: model.Switching(s.c.Switching), Waiting: model.Waiting(s.c.Waiting), AllStates: true, NoPairs: true}
	s.flat, err = verify.Check(ctx, hidden{s.rel}, o)
	if err != nil {
		return a, err
	}
	x, y := &s.rep.Routes, &s.flat.Routes
	if x.Pairs != y.Pairs || x.Unreachable != y.Unreachable || x.Pathless != y.Pathless ||
		s.rep.LivelockFree.Verdict == verify.Proved && x.Longest != y.Longest {
		return a, fmt.Errorf("%d pairs, %d not connected, %d hops; as it is %d, %d, %d", y.Pairs, y.Unreachable, y.Longest, x.Pairs, x.Unreachable, x.Longest)
	}
	if x, y := s.rep.Counts, s.flat.Counts; x != y {
		return a, fmt.Errorf("the graph has %+v, as it is %+v", y, x)
	}
	return verdicts(s.flat), nil
}

func verdicts(r *verify.Report) answers {
	return answers{acyclic: verdict(r.Acyclic.Verdict), deadlockFree: verdict(r.DeadlockFree.Verdict),
		connected: verdict(r.Connected.Verdict), livelockFree: verdict(r.LivelockFree.Verdict)}
}

// readAgain reports whether a file has the content of c: the states of a relation are listed for that.
func readAgain(file []byte, c *cert.Certificate) (bool, error) {
	var texts [2]bytes.Buffer
	read, err := cert.Read(bytes.NewReader(file))
	if err != nil {
		return false, err
	}
	for i, c := range []*cert.Certificate{read, c} {
		listed, err := cert.List(c)
		if err != nil {
			return false, err
		}
		if err := cert.Write(&texts[i], listed); err != nil {
			return false, err
		}
		if err := cert.Check(listed); err != nil {
			return false, err
		}
	}
	return bytes.Equal(texts[0].Bytes(), texts[1].Bytes()), nil
}

// askCertificate checks that both certificates are the same after writing and reading, and that the
// checker accepts them. It takes the verdicts from them.
func askCertificate(_ context.Context, s *subject) (all answers, err error) {
	for i, c := range []*cert.Certificate{s.rep.Certificate, s.flat.Certificate} {
		var file bytes.Buffer
		if err := cert.Write(&file, c); err != nil {
			return all, err
		}
		read, err := cert.Read(bytes.NewReader(file.Bytes()))
		if err != nil {
			return all, err
		}
		if err := cert.Check(read); err != nil {
			return all, err
		}
		same, err := readAgain(file.Bytes(), c)
		if err != nil {
			return all, err
		}
		if !same {
			return all, errors.New("the certificate differs after reading and writing")
		}
		var a answers
		for _, x := range read.Claims {
			if k := slices.Index([]string{cert.ClaimAcyclic, cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree}, x.Claim); k >= 0 {
				a[k] = verdict(x.Verdict)
			}
		}
		for k := range a {
			switch {
			case i == 0 || all[k] == "":
				all[k] = a[k]
			case a[k] != "" && a[k] != all[k]:
				return all, fmt.Errorf("%v is %s, state by state %s", claim(k), all[k], a[k])
			}
		}
	}
	return all, nil
}

// askWalk answers from the walk, and compares its counts with those of the report.
func askWalk(_ context.Context, s *subject) (a answers, err error) {
	w, r := s.w, &s.rep.Routes
	if r.Pairs != int64(w.pairs) || r.Unreachable != int64(w.lost) || r.Pathless != int64(w.barred) {
		return a, fmt.Errorf("%d pairs, %d not connected, %d without a path; verify says %d, %d, %d",
			w.pairs, w.lost, w.barred, r.Pairs, r.Unreachable, r.Pathless)
	}
	if !w.loop && r.Loop == nil && r.Longest != w.longest {
		return a, fmt.Errorf("%d switches on the longest path; verify says %d", w.longest, r.Longest)
	}
	after, count := w.dependencies(), 0
	for _, list := range after {
		count += len(list)
	}
	if got := s.rep.Counts; got.Dependencies != int64(count) || got.UsedVCs != int64(len(w.vcs)) {
		return a, fmt.Errorf("%d dependencies of %d VCs; verify says %d of %d", count, len(w.vcs), got.Dependencies, got.UsedVCs)
	}
	a[acyclic], a[connected], a[livelockFree] = holds(!cyclic(after)), holds(w.lost == 0), holds(!w.loop)
	return a, nil
}

func holds(is bool) verdict {
	if is {
		return proved
	}
	return refuted
}

// cyclic removes vertices without a successor until none is left to remove. It reports whether vertices
// remain.
func cyclic(after [][]int) bool {
	gone, left := make([]bool, len(after)), len(after)
	for more := true; more; {
		more = false
		for v, list := range after {
			if !gone[v] && !slices.ContainsFunc(list, func(w int) bool { return !gone[w] }) {
				gone[v], more, left = true, true, left-1
			}
		}
	}
	return left > 0
}
