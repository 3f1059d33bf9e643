package hostile

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// This file judges output that holds odd names, as the programs that read it would.

// judgeNamed returns the judge of a flag -holds: shells, json:PATTERN, page:FILE or
// source:FORMAT; nil for "".
func judgeNamed(name string) (func(context.Context, *Result) error, error) {
	kind, of, _ := strings.Cut(name, ":")
	switch kind {
	case "":
		return nil, nil
	case "shells":
		return shells, nil
	case "json":
		return jsonFiles(of), nil
	case "page":
		return pages(of), nil
	case "source":
		return source(of), nil
	}
	return nil, fmt.Errorf("unknown judge %q", name)
}

// stubs replace the programs that the scripts call. They are functions, because a script has
// hundreds of calls, and a process for each is slow.
const stubs = "ip() { :; }\nbridge() { :; }\ndcb() { :; }\n"

// shells runs the scripts in out, with stubs in place of the programs that they call.
func shells(ctx context.Context, r *Result) error {
	dir := filepath.Join(r.Dir, "..", "..", "tmp")
	scripts, err := filepath.Glob(filepath.Join(r.Dir, "out", "*.sh"))
	if err != nil || len(scripts) != 2*len(oddNames) {
		return fmt.Errorf("%d scripts for %d switches and hosts, %v", len(scripts), len(oddNames), err)
	}
	for _, script := range scripts {
		body, err := os.ReadFile(script)
		if err != nil {
			return &Unable{err}
		}
		cmd := exec.CommandContext(ctx, "sh")
		cmd.Stdin = strings.NewReader(stubs + strings.ReplaceAll(string(body), "> /proc/", "> /dev/null #"))
		cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin"}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			return fmt.Errorf("%s: %w: %s", filepath.Base(script), err, first(out))
		}
	}
	return noFile(filepath.Join(r.Dir, "..", ".."))
}

// noFile returns an error if there is a file that only an obeyed name can have made.
func noFile(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), "pwned") && !strings.Contains(path, "/out/") {
			err = fmt.Errorf("a program obeyed a name: there is %s", path)
		}
		return err
	})
}

// jsonFiles checks that files are JSON.
func jsonFiles(pattern string) func(context.Context, *Result) error {
	return func(_ context.Context, r *Result) error {
		list, err := filepath.Glob(filepath.Join(r.Dir, pattern))
		if err != nil || len(list) == 0 {
			return fmt.Errorf("no file %s: %v", pattern, err)
		}
		for _, file := range list {
			body, err := os.ReadFile(file)
			if err != nil {
				return &Unable{err}
			}
			if !json.Valid(body) {
				return fmt.Errorf("%s is no JSON", filepath.Base(file))
			}
		}
		return nil
	}
}

// active matches what a browser runs in a tag.
var active = regexp.MustCompile(`(?is)<script[^>]*>\s*alert|<[a-z][^>"']*\son[a-z]+\s*=\s*["']?alert|<img src=x|(href|src)\s*=\s*["']?javascript:`)

// pages checks that a page or drawing runs nothing of a name, and that a drawing is XML.
func pages(file string) func(context.Context, *Result) error {
	return func(_ context.Context, r *Result) error {
		body, err := os.ReadFile(filepath.Join(r.Dir, file))
		if err != nil {
			return &Unable{err}
		}
		if at := active.FindIndex(body); at != nil {
			return fmt.Errorf("%s holds %s", file, first(body[at[0]:at[1]]))
		}
		if strings.HasSuffix(file, ".html") {
			return plain(file, body)
		}
		for d := xml.NewDecoder(bytes.NewReader(body)); ; {
			t, err := d.Token()
			if errors.Is(err, io.EOF) {
				return plain(file, body)
			}
			if err != nil {
				return fmt.Errorf("%s is no XML: %w", file, err)
			}
			if e, ok := t.(xml.StartElement); ok {
				for _, a := range e.Attr {
					if e.Name.Local == "script" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "javascript:") && a.Name.Local == "href" {
						return fmt.Errorf("%s holds <%s %s=%q>", file, e.Name.Local, a.Name.Local, a.Value)
					}
				}
			}
		}
	}
}

// comments matches comments of C and Verilog, which may hold names.
var comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

// source checks that a table in a language keeps names apart from the language.
func source(format string) func(context.Context, *Result) error {
	return func(_ context.Context, r *Result) error {
		body, err := os.ReadFile(filepath.Join(r.Dir, "out."+format))
		if err != nil {
			return &Unable{err}
		}
		switch text := string(body); format {
		case "json":
			if !json.Valid(body) {
				return errors.New("no JSON")
			}
		case "csv":
			if _, err := csv.NewReader(bytes.NewReader(body)).ReadAll(); err != nil {
				return err
			}
		case "latex":
			for _, command := range []string{`\input`, `\write18`, "$x_y", " & % #"} {
				if strings.Contains(text, command) {
					return fmt.Errorf("%q is in the table", command)
				}
			}
		case "c", "verilog":
			if strings.Contains(text, "\\\n") {
				return errors.New("a line goes on after a backslash")
			}
			if rest := comments.ReplaceAllString(text, ""); strings.Contains(rest, "pwned") || strings.Contains(rest, "touch") {
				return errors.New("a name is outside comments")
			}
		case "markdown":
			width := 0
			for line := range strings.Lines(text) {
				if !strings.HasPrefix(line, "|") {
					continue
				}
				bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
				if width == 0 {
					width = bars
				}
				if bars != width || strings.Contains(line, "<script") || strings.Contains(line, "<img") {
					return fmt.Errorf("a row of another width, or with a tag: %s", first([]byte(line)))
				}
			}
		}
		return nil
	}
}
