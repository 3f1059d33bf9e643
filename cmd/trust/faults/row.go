//go:build unix

package faults

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// row is one fault of one command.
type row struct {
	fault, command string
	times, midst   int
	wrong          [4]int   // by way
	told           []string // the first of what was wrong
	now            string   // the command that is tried, of a row of several
}

// way is how something can be wrong.
type way int

const (
	lost way = iota
	doubled
	torn
	other // status, message, something left behind
)

// row begins one.
func (t *trial) row(fault, command string, a ...any) *row {
	r := &row{fault: fault, command: fmt.Sprintf(command, a...)}
	t.rows = append(t.rows, r)
	return r
}

// most is how many of a row's faults are told.
const most = 3

func (r *row) found(w way, format string, a ...any) {
	if r.wrong[w]++; len(r.told) < most {
		text := fmt.Sprintf(format, a...)
		if r.now != "" {
			text = r.now + ": " + text
		}
		r.told = append(r.told, text)
	}
}

func (t *trial) note(format string, a ...any) { t.notes = append(t.notes, fmt.Sprintf(format, a...)) }

// write writes the section.
func (t *trial) write(out io.Writer) error {
	fmt.Fprint(out, "The program itself is struck while it works; then the same command is given again until it\n"+
		"ends, and what there is then is held against a run that nothing happened to, byte for byte.\n"+
		"*In the midst*: the program was at work when it was struck. *Other*: a wrong exit status,\n"+
		"more than one line of error, a panic, a file left behind.\n\n"+
		"| fault | command | times | in the midst | lost | doubled | torn | other |\n|---|---|--:|--:|--:|--:|--:|--:|\n")
	var told []string
	for _, r := range t.rows {
		fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d | %d |\n", r.fault, r.command, r.times, r.midst, r.wrong[lost], r.wrong[doubled], r.wrong[torn], r.wrong[other])
		for _, text := range r.told {
			told = append(told, fmt.Sprintf("%s, %s: %s", r.fault, r.command, text))
		}
	}
	fmt.Fprint(out, "\nAfter a kill a file of turnproof's can remain beside an output, under a name that begins\n"+
		"with `.turnproof-`; the next run that writes this output removes it, so that there is never\n"+
		"more than one for each (counted after each kill).\n")
	for _, n := range t.notes {
		fmt.Fprintf(out, "%s\n", n)
	}
	if len(told) == 0 {
		return nil
	}
	fmt.Fprintf(out, "\nWrong:\n\n- %s\n", strings.Join(told, "\n- "))
	return &stage.Found{What: strings.Join(told, "; ")}
}
