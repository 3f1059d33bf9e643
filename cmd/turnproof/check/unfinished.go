package check

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/disk"
	"github.com/turnproof/turnproof/internal/plain"
)

// This file keeps the files of --junit and --sarif true when a run has no verdict. A CI system that publishes them in any case would else
// show those of an earlier run.

// writers write a file that says why a run has no verdict.
var writers = map[string]func(w io.Writer, version, reason string) error{
	"junit": func(w io.Writer, _, reason string) error {
		return encodeJUnit(w, junitSuite{Name: "turnproof check", Errors: 1, Time: "0.000", Properties: []junitProperty{{"verdict", "ERROR"}},
			Cases: []junitCase{{Name: "turnproof check", Class: "turnproof", Error: &junitFailure{Message: reason, Type: "error"}}}})
	},
	"sarif": func(w io.Writer, version, reason string) error {
		return encodeSARIF(w, failedSARIF(version, reason))
	},
}

// names are the flags of writers. If both name one file, the last is written.
var names = []string{"sarif", "junit"}

// markUnfinished replaces files of an earlier run, so that a run that is killed leaves none of them. A file that another argument names
// stays.
func markUnfinished(c *cli.Context) {
	others := c.Args().Slice()
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; !slices.Contains(names, name) {
			others = append(others, c.String(name))
		}
	}
	for i := range others {
		others[i] = cli.Location(others[i])
	}
	for _, name := range names {
		if file := c.String(name); isFinding(file) && !slices.Contains(others, cli.Location(file)) {
			replace(file, name, c.App.Version, "the run has not finished")
		}
	}
}

// WriteFailed writes the files of --junit and --sarif in a command line of check that failed for a reason: an error in JUnit, an execution
// that was not successful in SARIF. The command line can be wrong in any way. A file is left as it is if it has other content, or if another
// argument names it, too.
func WriteFailed(version string, args []string, reason string) {
	if !slices.Contains(args, "check") {
		return
	}
	named := map[string]int{} // by file: arguments that name it
	files := map[string]string{}
	for i, a := range args {
		flag, value, joined := strings.Cut(a, "=")
		name := strings.TrimLeft(flag, "-")
		if isFlag := flag != name && slices.Contains(names, name); isFlag {
			if !joined && i+1 < len(args) {
				value = args[i+1]
			}
			if files[name] = value; !joined {
				continue
			}
		}
		if a = value; !joined {
			a = flag
		}
		named[cli.Location(a)]++
	}
	for _, name := range names {
		if file, ok := files[name]; !ok {
			files[name] = os.Getenv(cli.EnvironmentName(name))
		} else if k := named[cli.Location(file)]; k > 1 && !(k == 2 && files["junit"] == files["sarif"]) {
			continue
		}
		file := files[name]
		_, err := os.Lstat(file)
		switch {
		case file == "" || strings.HasPrefix(file, "-") || err == nil && reason == cli.Interrupted:
			continue // an interrupted run has replaced the file of an earlier one, and may have written what it found
		case err == nil && !isFinding(file):
			fmt.Fprintf(os.Stderr, "note: %s is not of --%s, and was left as it is\n", plain.Text(file), name)
			continue
		}
		replace(file, name, version, reason)
	}
}

// replace writes a file without a verdict, or removes the file if that is impossible.
func replace(file, name, version, reason string) {
	err := disk.Write(file, 0o644, func(w io.Writer) error { return writers[name](w, version, reason) })
	if err != nil && isFinding(file) {
		_ = os.Remove(file)
	}
}

// isFinding reports whether a file exists and is empty, or has test cases in JUnit XML or results in SARIF.
func isFinding(file string) bool {
	info, err := os.Stat(file)
	if file == "" || err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if head = head[:n]; err != nil && n == 0 {
		return info.Size() == 0
	}
	return bytes.Contains(head, []byte("<testsuite")) || bytes.Contains(head, []byte(`"runs"`)) && bytes.Contains(head, []byte(`"version"`))
}
