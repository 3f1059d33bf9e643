package seams

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/kinds" // registers the judges of certificates
)

// This file judges a line.

// finding is something wrong with a line.
type finding struct {
	judge string   // which judge found it
	text  string   // what is wrong
	how   string   // the evidence that the verdict rests on
	line  *Line    // with a single simulation if the judge is the simulator
	words []string // of the simulation that froze, else nil
}

// apart are the features by which findings of one judge and one evidence are distinguished.
var apart = []string{"gate", "flow", "classes", "flows", "pauses", "initiators", "targets", "BookSim configuration", "buffer of channels", "fabric",
	"management", "multicast tables", "virtual ports", "waiting"}

// key says whether two findings have one cause, as far as the judge knows.
func (f *finding) key() string {
	key := []string{f.judge, f.how, details.ReplaceAllString(firstLine(f.text), "…")}
	for _, x := range apart {
		if f.line.has(x) || f.line.isOn(x) {
			key = append(key, x)
		}
	}
	return strings.Join(key, ", ")
}

// fault is what a smaller line must share with a finding.
func (f *finding) fault() string {
	return f.judge + f.how + details.ReplaceAllString(firstLine(f.text), "…")
}

// result is what a line gave.
type result struct {
	code    int
	refusal string // the error of status 2
	isLate  bool
	answer  *answer
	sims    int // simulations that ran
	states  string
	found   []*finding
}

// lineTime bounds a command.
const lineTime = 5 * time.Second

// judgeLine runs check on a line, and lets all judges judge it. It needs an empty folder.
func judgeLine(ctx context.Context, dir string, l *Line) (*result, error) {
	if err := l.write(dir); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "line.cert")
	o := timed(ctx, l.words("check", dir, takesAll, []Option{{"json", ""}, {"certificate", file}}))
	r := &result{code: o.code, isLate: o.isLate}
	if text := crash(o, 3); text != "" && !o.isLate {
		r.add(l, "crash", text, "")
		return r, nil
	}
	if o.code == 2 || o.isLate {
		r.refusal = strings.TrimPrefix(lastLine(o.err), "turnproof: ")
		return r, nil
	}
	var err error
	if r.answer, err = readAnswer(o.out); err != nil {
		return nil, fmt.Errorf("%w of %s", err, l)
	}
	r.judgeEvidence(l, file)
	if text := judgeFabric(l, r.answer); text != "" {
		r.add(l, "fabric", text, "")
	}
	r.judgeStates(ctx, dir, l)
	r.simulate(ctx, dir, l)
	r.replay(ctx, dir, l)
	return r, nil
}

// timed runs a command within the time for a command.
func timed(ctx context.Context, words []string) output {
	ctx, stop := context.WithTimeout(ctx, lineTime)
	defer stop()
	return run(ctx, words)
}

// crash returns what is wrong with the end of a command whose greatest status is most, or "".
func crash(o output, most int) string {
	switch {
	case strings.Contains(o.err, "internal error"):
		return lastLine(o.err)
	case o.code == statusPanic:
		_, text, _ := strings.Cut(o.err, "panic: ")
		return "panic: " + firstLine(text)
	case o.code < 0 || o.code > most:
		return fmt.Sprintf("exit status %d", o.code)
	}
	return ""
}

func lastLine(text string) string {
	list := strings.Split(strings.TrimSpace(text), "\n")
	return list[len(list)-1]
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// add adds a finding.
func (r *result) add(l *Line, judge, text, how string) {
	r.found = append(r.found, &finding{judge: judge, text: text, how: how, line: l.withSims()})
}

// withSims returns a copy of the line with only these simulations.
func (l *Line) withSims(sims ...[]Option) *Line {
	c := l.clone()
	c.Sims = sims
	return c
}

// judgeEvidence judges the certificate and the premises.
func (r *result) judgeEvidence(l *Line, file string) {
	text, err := os.ReadFile(file)
	if err != nil { // a flow problem or an undecided verdict has none
		return
	}
	c, err := cert.Read(bytes.NewReader(text))
	if err == nil {
		err = cert.Check(c)
	}
	if err != nil {
		r.add(l, "certificate", "the checker rejects it: "+err.Error(), "")
		return
	}
	sizes := statedSizes(l)
	if list := contradictions(sizes, r.answer, c); len(list) > 0 {
		r.add(l, "premises", list[0], "")
	}
	if c, err = cert.Read(bytes.NewReader(text)); err != nil { // its states are read once
		return
	}
	if text := tooLong(c, sizes); text != "" {
		r.add(l, "moves", text, evidenceOf(c))
	}
}

// evidenceOf returns the kind of evidence of the claim deadlock-free.
func evidenceOf(c *cert.Certificate) string {
	if x := c.Claim(cert.ClaimDeadlockFree); x != nil {
		return x.Evidence
	}
	return ""
}

// simulate runs the simulations of the line, if it is proved.
func (r *result) simulate(ctx context.Context, dir string, l *Line) {
	proved := r.provedSwitching(l)
	for i, more := range l.Sims {
		if len(proved) == 0 || i >= simsOfOrder && r.answer.isAcyclic() && !l.has("classes") {
			return
		}
		if word := proved[i%len(proved)]; word != "" {
			more = append(slices.Clone(more), Option{"switching", word})
		}
		words := simWords(l, dir, more)
		o := timed(ctx, words)
		if o.code != 2 {
			r.sims++
		}
		text := crash(o, 2)
		switch {
		case o.isLate:
		case text != "":
			r.found = append(r.found, &finding{"crash of sim", text, "", l.withSims(l.Sims[i]), simWords(l, ".", more)})
			return
		case o.code == 1 && !isWarned(o.err):
			r.found = append(r.found, &finding{"simulator", "PROVED, the simulator froze", r.how(), l.withSims(l.Sims[i]), simWords(l, ".", more)})
			return
		}
	}
}

// simWords returns the command line of a simulation. Lengths replace the length of packets.
func simWords(l *Line, dir string, more []Option) []string {
	mixed := slices.ContainsFunc(more, func(o Option) bool { return o.Flag == "length" })
	return l.words("sim", dir, func(flag string) bool { return simTakes(flag) && !(mixed && flag == "packet") }, more)
}

// how returns what the proof of deadlock-free rests on.
func (r *result) how() string {
	list := strings.Split(r.answer.Method, ", ")
	if i := slices.Index(list, "virtual-networks"); i >= 0 && len(list) > 1 {
		return list[0] + ", messages"
	}
	if c := r.answer.claim("message-deadlock-free"); c != nil {
		return list[len(list)-1]
	}
	if list[0] == "cycle" && len(list) > 1 {
		return list[1]
	}
	return list[0]
}

// isWarned reports whether the simulator warns that the proof does not cover the run.
func isWarned(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "warning:") && (strings.Contains(line, "freeze") || strings.Contains(line, "cover") || strings.Contains(line, "proof")) {
			return true
		}
	}
	return false
}

// provedSwitching returns values of --switching under which a run must not freeze; "" if the flag is not needed.
func (r *result) provedSwitching(l *Line) (list []string) {
	a := r.answer
	if l.has("classes") {
		if c := a.claim("message-deadlock-free"); c == nil || c.Verdict != "proved" || a.DeadlockFree == nil || !*a.DeadlockFree {
			return nil
		}
	}
	for _, d := range a.Disciplines {
		if d.Verdict != "proved" {
			continue
		}
		if l.has("switching") || l.has("flow") || l.isOn("fabric", "BookSim configuration") {
			return []string{""}
		}
		list = append(list, d.Switching...)
	}
	return list
}

// replay runs the command replay if check says that the deadlock is reached. It must reach a deadlock, too.
func (r *result) replay(ctx context.Context, dir string, l *Line) {
	a := r.answer
	if a.Reached == nil || !*a.Reached || len(l.Sims) > 0 && l.Sims[0][0].Value != "0.5" { // a part of the lines
		return
	}
	for _, flag := range []string{"classes", "gate", "packet", "buffer", "atomic", "multicast"} { // replay takes them otherwise
		if l.has(flag) {
			return
		}
	}
	o := timed(ctx, l.words("replay", dir, replayTakes, []Option{{"json", ""}}))
	if text := crash(o, 3); text != "" && !o.isLate {
		r.add(l, "crash of replay", text, "")
	} else if o.code == 0 {
		r.add(l, "replay", "REFUTED and reached, replay says that there is no deadlock", "")
	}
}
