package defects

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// This file reads the mutants that change no answer. An entry of equivalent.txt is a line
// with why, which begins with "# ", and below it the names of mutants.

//go:embed equivalent.txt
var equivalentText string

// equivalents gives the reason by the name of a mutant.
func equivalents(text string) (map[string]string, error) {
	list, why := map[string]string{}, ""
	for i, line := range strings.Split(text, "\n") {
		reason, begins := strings.CutPrefix(line, "# ")
		switch {
		case line == "":
		case begins:
			why = reason
		case why == "" || list[line] != "":
			return nil, fmt.Errorf("equivalent.txt:%d: a mutant without reason, or there twice", i+1)
		default:
			list[line] = why
		}
	}
	return list, nil
}

// tellSurvey writes what came of a survey, with those that survived though nobody said that they
// are equivalent: nobody has looked at them yet. It returns what is wrong with the list of those.
func tellSurvey(out io.Writer, s *survey, chosen []int, outcomes []Outcome, excused map[string]string) (wrong []string) {
	exist := map[string]bool{}
	for _, m := range s.mutants {
		exist[m.Name] = true
	}
	for name := range excused {
		if !exist[name] {
			wrong = append(wrong, "equivalent.txt names a mutant that is no more: "+name)
		}
	}
	caught, equivalent := 0, 0
	var survivors []string
	for i, k := range chosen {
		m := s.mutants[k]
		switch _, known := excused[m.Name]; {
		case outcomes[i].Caught && known:
			wrong = append(wrong, "equivalent.txt names a mutant that "+outcomes[i].By+" catches: "+m.Name)
			caught++
		case outcomes[i].Caught:
			caught++
		case known:
			equivalent++
		default:
			survivors = append(survivors, fmt.Sprintf("%s (line %d)", m.Name, m.Line))
		}
	}
	fmt.Fprintf(out, "\nMutants made by rule, of every function of %s (%d, of which %d were tried):\n\n", s.of, len(s.mutants), len(chosen))
	fmt.Fprintf(out, "| caught by the package's own tests | change no answer, with a reason each | survive |\n|---:|---:|---:|\n| %d | %d | %d |\n", caught, equivalent, len(survivors))
	for _, name := range survivors {
		fmt.Fprintf(out, "\n- survives: `%s`", name)
	}
	for _, w := range wrong {
		fmt.Fprintf(out, "\n- %s", w)
	}
	if len(survivors)+len(wrong) > 0 {
		fmt.Fprintln(out)
	}
	return wrong
}
