package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/verify"
)

// This file prints the text output of a check of streams.

// mostShown is how many choices and waits the text lists.
const mostShown = 40

func (s *streamsCheck) print(w io.Writer) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s: %s, %s, %s, %s\n\n", plain.Text(s.p.Name), wording.Count(len(s.p.Resources), "resource", "s"), wording.Count(len(s.p.Counters), "counter", "s"),
		wording.Count(len(s.p.Routes), "route", "s"), wording.Count(len(s.p.Agents), "agent", "s"))
	p("%-9s  deadlock-free  %s\n", strings.ToUpper(string(s.r.Verdict)), s.note())
	if s.r.Verdict == verify.Refuted {
		s.printSchedule(p)
	}
	p("\nPremises:\n")
	for _, x := range s.premises {
		p("  %s\n", plain.Text(fmt.Sprintf("%s: %s (%s)", x.Name, x.Value, x.Source)))
	}
	accepted := 0
	if s.certified != nil {
		accepted = len(s.certified.Claims)
	}
	p("\n%s. The independent checker accepted %s. %.3f s\n", strings.ToUpper(string(s.r.Verdict)), wording.Count(accepted, "claim", "s"), s.seconds)
}

// note says why the verdict is what it is.
func (s *streamsCheck) note() string {
	switch s.r.Verdict {
	case verify.Proved:
		return fmt.Sprintf("in no order of events the programs hang (%s)", wording.Count(s.r.States, "state", "s"))
	case verify.Refuted:
		return fmt.Sprintf("after %s nothing can happen", wording.Count(len(s.r.Schedule), "choice", "s"))
	}
	return s.r.Reason
}

func (s *streamsCheck) printSchedule(p func(string, ...any)) {
	if len(s.r.Schedule) > 0 {
		p("\nThe choices, each of who gets what several can ask for:\n")
	}
	for i, x := range s.r.Schedule {
		if i == mostShown {
			p("  and %d more\n", len(s.r.Schedule)-i)
			break
		}
		object, to := s.choice(x)
		p("  %s: %s\n", plain.Text(object), plain.Text(to))
	}
	p("\nThen:\n")
	for i, x := range s.r.Stuck {
		if i == mostShown {
			p("  and %d more\n", len(s.r.Stuck)-i)
			break
		}
		holds := ""
		if len(x.Holds) > 0 {
			holds = " holds " + plain.Text(strings.Join(x.Holds, ", ")) + " and"
		}
		p("  %s%s waits for %s\n", plain.Text(x.Who), holds, plain.Text(x.For))
	}
}
