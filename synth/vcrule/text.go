package vcrule

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/program"
)

// This file writes the program with a rule.

// named is the name of the function route of the given program in the new program.
const named = "directions"

var routeLine = regexp.MustCompile(`(?m)^def route\(`)

// checkProgram returns an error if no rule can be added to a program.
func checkProgram(p *program.Program) error {
	switch {
	case p.Family.Kind == program.AnyNetwork:
		return fmt.Errorf("%s is for any network; want a family of grids", p.Name)
	case p.VCs > 1 || regexp.MustCompile(`(?m)^vcs\b`).MatchString(p.Text):
		return fmt.Errorf("%s already assigns VCs; want a program without vcs", p.Name)
	case p.States > 1 || p.ReadsState || p.Draws || p.Passes:
		return fmt.Errorf("%s has header states or EJECT; want a program that returns directions only", p.Name)
	case p.Ranked || regexp.MustCompile(`(?m)^escape\b`).MatchString(p.Text):
		return fmt.Errorf("%s has a rank or an escape; remove it", p.Name)
	case len(routeLine.FindAllString(p.Text, -1)) != 1:
		return fmt.Errorf("%s has no line that begins with \"def route(\"", p.Name)
	case regexp.MustCompile(`\b(` + named + `|vc_of)\b`).MatchString(p.Text):
		return fmt.Errorf("%s uses the name %s or vc_of; rename it", p.Name, named)
	}
	return nil
}

// text returns the text of a program with a rule.
func (r *rule) text(given string) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(routeLine.ReplaceAllString(given, "def "+named+"("), "\n"))
	fmt.Fprintf(&b, "\n\nvcs = %d\n", r.vcs)
	first := 0
	if r.escape != noEscape {
		first = 1
		list := make([]string, r.vcs-1)
		for i := range list {
			list[i] = fmt.Sprint(i + 1)
		}
		fmt.Fprintf(&b, "escape = [%s]\n", strings.Join(list, ", "))
	}
	b.WriteString("\ndef vc_of(cur, dst, inp, a):\n" + r.body(first) + "\ndef route(cur, dst, inp):\n")
	switch r.escape {
	case noEscape:
		fmt.Fprintf(&b, "    return [(a, vc_of(cur, dst, inp, a)) for a in %s(cur, dst, inp)]\n", named)
	default:
		which := "list[0]"
		if r.escape == lastDirection {
			which = "list[len(list) - 1]"
		}
		fmt.Fprintf(&b, "    list = %s(cur, dst, inp)\n    if len(list) == 0:\n        return []\n    a = %s\n"+
			"    return [(b, 0) for b in list] + [(a, vc_of(cur, dst, inp, a))]\n", named, which)
	}
	return b.String()
}

// body returns the statements of vc_of. first is added to the VCs of the rule.
func (r *rule) body(first int) string {
	value := func(x [2]int) string {
		if x[0] == x[1] {
			return fmt.Sprint(first + x[0])
		}
		return fmt.Sprintf("%d if crosses_dateline(cur, dst, a) else %d", first+x[1], first+x[0])
	}
	if !r.readsPath() {
		return "    return " + value(r.entering) + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "    if inp.dir != a:\n        return %s\n", value(r.entering))
	for k := 0; k < len(r.same); k++ {
		if rest := r.same[k:]; !slices.ContainsFunc(rest, func(s [2]int) bool { return s != rest[0] }) {
			fmt.Fprintf(&b, "    return %s\n", value(rest[0]))
			break
		}
		fmt.Fprintf(&b, "    if inp.vc == %d:\n        return %s\n", k, value(r.same[k]))
	}
	return b.String()
}
