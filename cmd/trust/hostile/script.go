package hostile

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// This file defines the commands of the scripts and runs them. A script is a kind of hostility.
//
// These commands make an input file for the next case:
//
//	file NAME TEXT
//	repeat NAME HEAD UNIT TIMES TAIL    HEAD, then UNIT TIMES times, then TAIL
//	pack NAME HEAD UNIT TIMES TAIL      the same, compressed by gzip
//	nest NAME HEAD OPEN TIMES MIDDLE SHUT TAIL
//	edit NAME OLD FROM TO               file OLD with FROM replaced by TO, after "before"
//	append NAME HEAD UNIT TIMES         to a file, after "before"
//	folder NAME, unreadable NAME, link NAME TARGET, hardlink NAME TARGET, odd-names NAME
//
// "before ARG..." runs turnproof before the case. "for WORD..." repeats the next case with each
// word in place of <<word>>, "each-reader [NAME...]" with each reader in place of <<reader>>.
// A word or reader that begins with "may:" or "long:" sets that flag.
//
// These commands run a case: "reject [FLAG...] NAME PROGRAM ARG..." expects status 2 and one line
// of error, "refute" status 1, "accept" status 0, and "may" a verdict or status 2. Flags: -long
// (takes seconds), -says TEXT (in the error), -makes PATTERN,... (files that may remain), -holds
// JUDGE (see judgeNamed), -stdin FILE, -env NAME=VALUE, -may-be-empty (may, if an empty file has a
// meaning for the reader), -may-be-flag (may, if the word looks like a flag). The name "-" stands
// for the arguments.
//
// In arguments, \n, \x00 and \u00e4 are characters, <<TEXT*N>> is TEXT N times, and an argument
// that begins with "fields:" becomes several.

//go:embed scripts
var scripts embed.FS

// Programs are the command lines of the programs, and what is added to their environment.
type Programs struct {
	Turnproof, Check []string // an empty program is left out with its cases
	Env              []string
	Cache            string // folder of turnproof's cache; if empty, a folder of each case
}

// Options selects cases.
type Options struct {
	Long  bool // also the cases that take seconds
	Every int  // of each kind, only one case in Every
	Most  int  // the largest number of cases of each kind; 0 for all
}

// Run runs the scripts and the certificates against programs, and returns what it ran.
func Run(t *testing.T, p Programs, o Options) *Tally {
	r := &runner{ctx: t.Context(), programs: p, options: o, tally: &Tally{}}
	r.run(t, r.try)
	return r.tally
}

// runner runs scripts. It is shared by scripts that run in parallel.
type runner struct {
	ctx      context.Context
	programs Programs
	options  Options
	tally    *Tally
	lock     sync.Mutex // of seen and tally
	seen     map[string]int
}

// run calls try for each case of the scripts and of the certificates.
func (r *runner) run(t *testing.T, try func(dir string, c *Case) error) {
	dir := t.TempDir()
	entries, err := scripts.ReadDir("scripts")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := scripts.ReadFile("scripts/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.seen = map[string]int{}
	testscript.Run(t, testscript.Params{
		Dir:             dir,
		ContinueOnError: true,
		Cmds:            commands(),
		Condition:       func(name string) (bool, error) { return os.Getuid() == 0, nil }, // root
		Setup: func(e *testscript.Env) error {
			e.Values[scriptKey{}] = &script{try: try}
			return nil
		},
	})
	for _, c := range certificates() {
		if err := try(filepath.Join(dir, "certificate"), &c); err != nil {
			t.Error(err)
		}
	}
}

// scriptKey finds the state of a script.
type scriptKey struct{}

// script holds what the next case needs.
type script struct {
	try           func(dir string, c *Case) error
	files, after  []command // before and after the line of "before"
	before, words []string
	readers       []string // nil: not for readers
	isEach        bool
}

// command is a line that makes a file.
type command []string

// commands returns the commands of scripts by name.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){}
	on := func(name string, do func(ts *testscript.TestScript, s *script, args []string)) {
		all[name] = func(ts *testscript.TestScript, _ bool, args []string) { do(ts, ts.Value(scriptKey{}).(*script), args) }
	}
	for name := range makers {
		on(name, func(_ *testscript.TestScript, s *script, args []string) {
			line := append(command{name}, args...)
			if s.before != nil {
				s.after = append(s.after, line)
			} else {
				s.files = append(s.files, line)
			}
		})
	}
	on("before", func(_ *testscript.TestScript, s *script, args []string) { s.before = args })
	on("for", func(_ *testscript.TestScript, s *script, args []string) { s.words = args })
	on("for-odd-names", func(ts *testscript.TestScript, s *script, args []string) {
		every, err := strconv.Atoi(strings.Join(args, " "))
		ts.Check(err)
		s.words = oddWords(every)
	})
	on("each-reader", func(_ *testscript.TestScript, s *script, args []string) { s.readers, s.isEach = args, true })
	for _, verdict := range []string{"reject", "refute", "accept", "may"} {
		on(verdict, func(ts *testscript.TestScript, s *script, args []string) {
			try := s.try
			cases, err := s.cases(ts.Name(), verdict, args)
			ts.Check(err)
			*s = script{try: try}
			var wrong []error
			for i := range cases {
				if err := try(ts.MkAbs("case"), &cases[i]); err != nil {
					wrong = append(wrong, fmt.Errorf("%.60s: %w", cases[i].Name, err))
				}
			}
			ts.Check(errors.Join(wrong...))
		})
	}
	return all
}

// cases expands the words and readers of a case.
func (s *script) cases(kind, verdict string, line []string) (list []Case, err error) {
	chosen := []reader{{}}
	if s.isEach {
		chosen = slices.DeleteFunc(readers(), s.leavesOut)
	}
	for _, r := range chosen {
		for i := range max(len(s.words), 1) {
			x := expander{reader: r, index: i, verdict: verdict}
			if s.words != nil {
				x.take(s.words[i])
			}
			c, err := s.one(kind, &x, line)
			if err != nil {
				return nil, err
			}
			list = append(list, *c)
		}
	}
	return list, nil
}

// leavesOut reports whether each-reader does not name a reader, or names it with a minus.
func (s *script) leavesOut(r reader) bool {
	only := false
	for _, name := range s.readers {
		if not, ok := strings.CutPrefix(name, "-"); ok && not == r.what {
			return true
		} else if !ok {
			only = true
		}
	}
	return only && !slices.ContainsFunc(s.readers, r.named)
}

// one makes a case of a line.
func (s *script) one(kind string, x *expander, line []string) (*Case, error) {
	status := map[string]int{"reject": 2, "refute": 1, "accept": 0, "may": 2}
	c := &Case{Kind: strings.ReplaceAll(kind, "-", " "), Status: status[x.verdict], May: x.verdict == "may" || x.may}
	var makes, holds, env string
	var emptyMay, flagMay bool
	f := flag.NewFlagSet(x.verdict, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.BoolVar(&c.Long, "long", x.long, "")
	f.StringVar(&c.Says, "says", "", "")
	f.StringVar(&c.Stdin, "stdin", "", "")
	f.StringVar(&makes, "makes", "", "")
	f.StringVar(&holds, "holds", "", "")
	f.StringVar(&env, "env", "", "")
	f.BoolVar(&emptyMay, "may-be-empty", false, "")
	f.BoolVar(&flagMay, "may-be-flag", false, "")
	args, err := x.all(line)
	if err != nil {
		return nil, err
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() < 2 {
		return nil, errors.New("incomplete; want NAME PROGRAM ARG")
	}
	c.Name, c.Args = f.Arg(0), f.Args()[1:]
	if c.Args[0] == "turnproof" {
		c.Args = c.Args[1:]
	}
	if c.Name == "-" {
		c.Name = strings.Join(c.Args, " ")
	}
	isFlag := flagMay && strings.HasPrefix(x.word, "-")
	c.May = c.May || isFlag || emptyMay && x.reader.mayBeEmpty()
	if makes != "" && (isFlag || !flagMay) {
		c.Makes = strings.Split(makes, ",")
	}
	if env != "" {
		c.Env = []string{env}
	}
	if c.Holds, err = judgeNamed(holds); err != nil {
		return nil, err
	}
	if s.before != nil {
		if c.Before, err = x.all(s.before); err != nil {
			return nil, err
		}
	}
	if c.Files, err = x.makeAll(s.files); err != nil {
		return nil, err
	}
	c.Files = append(c.Files, x.reader.more...)
	c.After, err = x.makeAll(s.after)
	return c, err
}

// expander replaces the placeholders of a case.
type expander struct {
	reader    reader
	word      string
	index     int
	verdict   string
	may, long bool
}

// take takes the word of a loop with its flags.
func (x *expander) take(word string) {
	for {
		rest, may := strings.CutPrefix(word, "may:")
		rest, long := strings.CutPrefix(rest, "long:")
		if !may && !long {
			break
		}
		x.may, x.long, word = x.may || may, x.long || long, rest
	}
	x.word = word
}

// all expands arguments. The argument <<reader>> alone becomes the arguments of the reader.
func (x *expander) all(args []string) (list []string, err error) {
	for _, a := range args {
		if a == "<<reader>>" {
			list = append(list, x.reader.args...)
			continue
		}
		if text, ok := strings.CutPrefix(a, "fields:"); ok {
			one, err := x.one(text)
			if err != nil {
				return nil, err
			}
			list = append(list, strings.Fields(one)...)
			continue
		}
		one, err := x.one(a)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// each expands arguments one by one.
func (x *expander) each(args []string) (list []string, err error) {
	for _, a := range args {
		one, err := x.one(a)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

var repeated = regexp.MustCompile(`<<(.*?)\*(\d+)>>`)

// one expands one argument.
func (x *expander) one(arg string) (string, error) {
	quoted, err := json.Marshal(x.word)
	if err != nil {
		return "", err
	}
	arg = repeated.ReplaceAllStringFunc(arg, func(m string) string {
		parts := repeated.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[2]) // digits
		return strings.Repeat(parts[1], n)
	})
	if strings.Contains(arg, `\`) {
		if arg, err = strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`); err != nil {
			return "", fmt.Errorf("%w: %q", err, arg)
		}
	}
	return strings.NewReplacer("<<word>>", x.word, "<<json>>", string(quoted), "<<quoted>>", strconv.Quote(x.word), "<<index>>", fmt.Sprint(x.index),
		"<<reader>>", x.reader.file(), "<<what>>", x.reader.what).Replace(arg), nil
}

// makeAll returns the files that lines make.
func (x *expander) makeAll(lines []command) (files []File, err error) {
	for _, l := range lines {
		args, err := x.each(l[1:])
		if err != nil {
			return nil, err
		}
		m := makers[l[0]]
		if len(args) != m.args+1 {
			return nil, fmt.Errorf("%s takes %d arguments, got %d", l[0], m.args+1, len(args))
		}
		files = append(files, File{args[0], func(path string) error { return m.make(path, args[1:]) }})
	}
	return files, nil
}

// try runs a case, if it is selected, and counts it.
func (r *runner) try(dir string, c *Case) error {
	if r.skips(c) {
		return nil
	}
	result, err := c.run(r.ctx, r.programs, dir)
	defer func() { _ = clear(dir) }()
	r.lock.Lock()
	defer r.lock.Unlock()
	r.tally.add(c, result, err)
	return err
}

// has reports whether the programs of a case are there.
func (c *Case) has(p Programs) bool {
	isCheck := c.Args[0] == checker
	return (isCheck && p.Check != nil || !isCheck && p.Turnproof != nil) && (c.Before == nil || p.Turnproof != nil)
}

// skips reports whether a case is not selected.
func (r *runner) skips(c *Case) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	if c.Long && !r.options.Long || !c.has(r.programs) {
		return true
	}
	k := r.seen[c.Kind]
	r.seen[c.Kind]++
	every := cmp.Or(r.options.Every, 1)
	return k%every != 0 || r.options.Most > 0 && k/every >= r.options.Most
}
