// Words reports words and phrases that the project does not use, and Go lines
// that are too long. It reads file names from its standard input, one a line,
// and prints FILE:LINE: FINDING. The exit status is 1 if it found something.
//
// Checked are comments and strings of Go files, comments of scripts, and
// Markdown apart from code. Not checked are files in folders named testdata,
// generated files, and files directly in a folder that words.todo lists.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	todoFile := flag.String("todo", "", "file that lists folders not checked yet, one a line")
	flag.Parse()
	todo, err := readTodo(*todoFile)
	if err != nil {
		fatal(err)
	}
	found := false
	names := bufio.NewScanner(os.Stdin)
	for names.Scan() {
		name := filepath.ToSlash(filepath.Clean(names.Text()))
		if isTestdata(name) || todo[filepath.ToSlash(filepath.Dir(name))] {
			continue
		}
		findings, err := checkFile(name)
		if err != nil {
			fatal(err)
		}
		for _, finding := range findings {
			fmt.Println(finding)
			found = true
		}
	}
	if err := names.Err(); err != nil {
		fatal(err)
	}
	if found {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "words:", err)
	os.Exit(2)
}

// readTodo returns the set of folders listed in the file. Lines that start
// with # are comments. If name is empty, the set is empty.
func readTodo(name string) (map[string]bool, error) {
	todo := map[string]bool{}
	if name == "" {
		return todo, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			todo[line] = true
		}
	}
	return todo, nil
}

func isTestdata(name string) bool {
	return strings.HasPrefix(name, "testdata/") || strings.Contains(name, "/testdata/")
}

// checkFile returns the findings in one file, sorted by line. Files of an
// unknown kind have none.
func checkFile(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var lines []line
	switch kindOf(name, text) {
	case "go":
		lines = goProse(name, text)
	case "markdown":
		lines = markdownProse(string(text))
	case "script":
		lines = scriptProse(string(text))
	}
	var findings []string
	for _, l := range lines {
		for _, finding := range l.findings() {
			findings = append(findings, fmt.Sprintf("%s:%d: %s", name, l.number, finding))
		}
	}
	return findings, nil
}

// kindOf returns the kind of a file: go, markdown, script, or "" for a file
// that is not checked.
func kindOf(name string, text []byte) string {
	switch filepath.Ext(name) {
	case ".go":
		if generated.Match(text) {
			return ""
		}
		return "go"
	case ".md":
		return "markdown"
	case ".sh", ".awk", ".star", ".py", ".yml", ".yaml":
		return "script"
	}
	if filepath.Base(name) == "Makefile" || strings.HasPrefix(string(text), "#!") {
		return "script"
	}
	return ""
}
