package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file runs the scripts in testdata/script; see the README there.

// TestScripts compares the output, files and exit status of command lines with the record in each
// script. With -update it rewrites the records.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Abs("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	requireRecords(t, scripts)
	t.Setenv("XDG_CONFIG_HOME", "/home/user/.config") // "turnproof config" prints this path
	testscript.Run(t, testscript.Params{
		Dir:                scripts, // absolute, because commands run in other folders
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup:              linkExamples,
		Condition:          scriptCondition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"turnproof":  recordTurnproof,
			"sum":        recordSums,
			"GOMAXPROCS": setProcessors,
		},
	})
}

// requireRecords fails if a script does not compare its transcript with a record.
func requireRecords(t *testing.T, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", folder, err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte("TestScripts -update\ncmp transcript expected\n")) {
			t.Errorf("%s does not end with the comment and the line \"cmp transcript expected\" of the other scripts: nothing is compared (%v)", file, err)
		}
	}
}

// packageFolder is the folder of this package, in which go test starts.
var packageFolder, _ = os.Getwd()

// linkExamples links the examples of the repository into the folder of a script.
func linkExamples(env *testscript.Env) error {
	return os.Symlink(filepath.Join(packageFolder, "..", "..", "examples"), filepath.Join(env.WorkDir, "examples"))
}

// scriptCondition evaluates the conditions [z3] and [long].
func scriptCondition(name string) (bool, error) {
	switch name {
	case "z3":
		return smt.Available(), nil
	case "long":
		return long(), nil
	}
	return false, fmt.Errorf("no condition %q; known are z3 and long", name)
}

// process protects the current folder, standard input and GOMAXPROCS of the test process.
var process sync.Mutex

// recordTurnproof runs a command line in the test process, which is faster than a new process. It
// appends the line, both outputs and the exit status to the transcript. "< FILE" at the end of the
// line sets standard input.
func recordTurnproof(ts *testscript.TestScript, not bool, words []string) {
	if not {
		ts.Fatalf("the transcript records the exit status; remove the !")
	}
	line := strings.Join(append([]string{"turnproof"}, words...), " ")
	var input string
	if n := len(words); n > 1 && words[n-2] == "<" {
		words, input = words[:n-2], words[n-1]
	}
	var stdout, stderr bytes.Buffer
	code := runIn(ts, input, func() int {
		return run(context.Background(), append([]string{"turnproof"}, words...), &stdout, &stderr)
	})
	_, err := ts.Stdout().Write(stdout.Bytes())
	ts.Check(err)
	if fault := againstSchema(stdout.Bytes()); fault != nil {
		ts.Fatalf("%s: %v", line, fault)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "$ %s\n%s", line, shortened(stable(ts, stdout.String())))
	for said := range strings.Lines(shortened(stable(ts, stderr.String()))) {
		fmt.Fprintf(&b, "stderr: %s", said)
	}
	fmt.Fprintf(&b, "exit status %d\n\n", code)
	record(ts, b.String())
}

// ofSchema matches the beginning of JSON output: it names its schema.
var ofSchema = regexp.MustCompile(`^\{\s*"schema": "turnproof\.([a-z-]+)/\d+"`)

// againstSchema returns how output differs from the schema that it names, or nil if it is no JSON object with one.
func againstSchema(text []byte) error {
	name := ofSchema.FindSubmatch(text)
	if name == nil {
		return nil
	}
	s, err := compileSchema(string(name[1]) + ".json")
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// runIn calls f in the folder of a script, with its GOMAXPROCS and with the file input as standard
// input.
func runIn(ts *testscript.TestScript, input string, f func() int) int {
	process.Lock()
	defer process.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(before)) }()
	if n, err := strconv.Atoi(ts.Getenv("GOMAXPROCS")); err == nil {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	}
	if input != "" {
		file, err := os.Open(input)
		ts.Check(err)
		defer func() { ts.Check(file.Close()) }()
		defer func(in *os.File) { os.Stdin = in }(os.Stdin)
		os.Stdin = file
	}
	return f()
}

// setProcessors sets GOMAXPROCS for the following lines.
func setProcessors(ts *testscript.TestScript, _ bool, words []string) {
	if len(words) != 1 {
		ts.Fatalf("usage: GOMAXPROCS NUMBER")
	}
	ts.Setenv("GOMAXPROCS", words[0])
}

// recordSums appends the SHA-256 of files to the transcript. Times are removed first.
func recordSums(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		text := stable(ts, ts.ReadFile(name))
		record(ts, fmt.Sprintf("%s: %d lines, SHA-256 %x\n\n", name, strings.Count(text, "\n"), sha256.Sum256([]byte(text))))
	}
}

// record appends text to the transcript of a script.
func record(ts *testscript.TestScript, text string) {
	file, err := os.OpenFile(ts.MkAbs("transcript"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	_, err = file.WriteString(text)
	ts.Check(err)
	ts.Check(file.Close())
}

// volatile lists patterns of text that differs between runs or machines, each with a literal that
// every match contains and with its replacement. The literal saves most of the time of long texts.
var volatile = []struct {
	literal string
	pattern *regexp.Regexp
	with    string
}{
	{" s", regexp.MustCompile(`[0-9.]+ s\b`), "TIME"},
	{"seconds", regexp.MustCompile(`(seconds"?): [0-9.e-]+`), `$1: TIME`},
	{" time=", regexp.MustCompile(` time="[0-9.]+"`), ` time="TIME"`},
	{"go1.", regexp.MustCompile(`go1\.[0-9.]+`), "GOVERSION"},
	{"/", regexp.MustCompile(`\b(linux|darwin|windows|freebsd)/\w+`), "PLATFORM"},
	{"GOVERSION", regexp.MustCompile(`(GOVERSION.*), with(out)? Z3.*`), "$1, Z3VERSION"},
	{"ed ", regexp.MustCompile(`(?m)^( +\S+ +\S+ +(proved|refuted) +(proved|refuted) .*) +[0-9.]+$`), "$1  TIME"}, // seconds of turns --compare
	{"  (", regexp.MustCompile(`(?m)^(  [EWNS]\d\S*( wrap)?)  +\(.*\)$`), "$1  RANK"},                             // ranks of prove, which Z3 chooses
}

// stable returns text with all volatile parts replaced.
func stable(ts *testscript.TestScript, text string) string {
	text = strings.ReplaceAll(text, ts.Getenv("WORK"), "$WORK")
	for _, v := range volatile {
		if strings.Contains(text, v.literal) {
			text = v.pattern.ReplaceAllString(text, v.with)
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n(no newline)\n"
	}
	return text
}

// mostLines is the number of lines up to which a transcript contains the whole output.
const mostLines = 60

// shortened returns the first lines of a long text, the number of the other lines, and the SHA-256
// of the whole text.
func shortened(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= mostLines+1 {
		return text
	}
	const shown = 10
	return fmt.Sprintf("%s... %d more lines, SHA-256 of all lines %x\n",
		strings.Join(lines[:shown], ""), len(lines)-1-shown, sha256.Sum256([]byte(text)))
}
