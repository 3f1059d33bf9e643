package vcrule

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/local"
)

// This file finds VCs for the numbers that a program for any network gives to its hops.
//
// Such a program numbers the hops: its VCs are numbers, and a rule says which numbers share a VC. It does not read inp.vc. The rules with k
// VCs are the partitions of the numbers into k sets. A rule is refuted by a network, or proved for every network of the program.

// isNumbered is the name of the function route of the given program in the new program.
const isNumbered = "numbered"

var (
	vcsLine   = regexp.MustCompile(`(?m)^vcs *=.*$`)
	routeHead = regexp.MustCompile(`(?m)^def route\(([^)]*)\):`)
)

// checkNumbered returns an error if no rule can be added to a program for any network.
func checkNumbered(p *program.Program) error {
	switch {
	case p.VCs < 2 || len(vcsLine.FindAllString(p.Text, -1)) != 1:
		return fmt.Errorf("%s numbers no hops; want a line such as vcs = 5, and outputs with numbers from 0 to 4", p.Name)
	case p.VCs > mostNumbers:
		return fmt.Errorf("%s has %d numbers; want at most %d", p.Name, p.VCs, mostNumbers)
	case strings.Contains(p.Text, ".vc"):
		return fmt.Errorf("%s reads inp.vc, which a rule changes; use a header state", p.Name)
	case regexp.MustCompile(`(?m)^escape\b`).MatchString(p.Text):
		return fmt.Errorf("%s has an escape; remove it", p.Name)
	case len(routeHead.FindAllString(p.Text, -1)) != 1:
		return fmt.Errorf("%s has no line that begins with \"def route(\"", p.Name)
	case regexp.MustCompile(`\b(` + isNumbered + `|vc_of)\b`).MatchString(p.Text):
		return fmt.Errorf("%s uses the name %s or vc_of; rename it", p.Name, isNumbered)
	}
	return nil
}

// mostNumbers bounds the numbers of a program: 8 numbers have 4,140 rules.
const mostNumbers = 8

// numberings lists the rules for n numbers with k VCs: the VC of each number. VCs are numbered in the order in which they occur.
func numberings(n, k int) (list [][]int) {
	var visit func(row []int, used int)
	visit = func(row []int, used int) {
		if len(row) == n {
			if used == k {
				list = append(list, slices.Clone(row))
			}
			return
		}
		for vc := range min(used+1, k) {
			visit(append(row, vc), max(used, vc+1))
		}
	}
	visit(nil, 0)
	return list
}

// numberedText returns the text of a program with a rule.
func numberedText(p *program.Program, rule []int, vcs int) string {
	params := routeHead.FindStringSubmatch(p.Text)[1]
	parts := []string{"o[0]", "vc_of[o[1]]", "o[2]", "o[3]"}[:2]
	if p.ReadsState {
		parts = append(parts, "o[2]")
	}
	if p.Carries {
		parts = append(parts, "o[3]")
	}
	text := vcsLine.ReplaceAllString(p.Text, fmt.Sprintf("vcs = %d", vcs))
	text = strings.TrimRight(routeHead.ReplaceAllString(text, "def "+isNumbered+"($1):"), "\n")
	return text + fmt.Sprintf("\n\nvc_of = [%s]\n\ndef route(%s):\n    return [(%s) for o in %s(%s)]\n",
		strings.Trim(strings.Join(strings.Fields(fmt.Sprint(rule)), ", "), "[]"), params, strings.Join(parts, ", "), isNumbered, params)
}

// FindNumbered searches a rule for a program for any network. The result has the first rule that is proved deadlock-free, connected and
// livelock-free for every network of the program, with the fewest VCs. The options Most, Switching, Waiting and Prove.Progress are used.
func FindNumbered(ctx context.Context, p *program.Program, o Options) (*Result, error) {
	if err := checkNumbered(p); err != nil {
		return nil, err
	}
	s := &numberedSearch{o: o}
	var err error
	if s.names, s.members, err = local.Members(p); err != nil {
		return nil, err
	}
	result := &Result{Fewest: true}
	for vcs := 1; vcs <= min(o.Most, p.VCs) && result.Program == nil; vcs++ {
		list := numberings(p.VCs, vcs)
		err := result.try(p, vcs, len(list), func(i int) string { return numberedText(p, list[i], vcs) }, o,
			func(made *program.Program) (verify.Verdict, string, int, error) { return s.decide(ctx, made) })
		if err != nil {
			return nil, err
		}
	}
	return result, nil
}

// numberedSearch is a search of FindNumbered.
type numberedSearch struct {
	o       Options
	names   []string // of members
	members []*model.Network
}

// decide decides a program with a rule. If it is refuted, the network and the number of its switches are returned.
func (s *numberedSearch) decide(ctx context.Context, p *program.Program) (verify.Verdict, string, int, error) {
	for i, n := range s.members {
		relation, _, err := p.Relation(ctx, n)
		if err != nil {
			return "", "", 0, err
		}
		r, err := verify.Check(ctx, relation, verify.Options{Switching: s.o.Switching, Waiting: s.o.Waiting, AllStates: true, NoPairs: true})
		if err != nil {
			return "", "", 0, err
		}
		if slices.ContainsFunc(r.Claims(), func(c verify.Claim) bool { return c.Verdict == verify.Refuted }) {
			return verify.Refuted, s.names[i], n.NumSwitches(), nil
		}
	}
	for _, switches := range []int{3, 0} {
		r, err := local.Prove(ctx, p, local.Options{Switching: s.o.Switching, Waiting: s.o.Waiting, Switches: switches})
		switch {
		case err != nil:
			return "", "", 0, err
		case r.Verdict == verify.Refuted:
			return r.Verdict, r.Witness.Name, r.Witness.Network.NumSwitches(), nil
		case r.Verdict == verify.Proved:
			return r.Verdict, "", 0, nil
		}
	}
	return verify.Undecided, "", 0, nil
}
