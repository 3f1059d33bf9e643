package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file runs the jobs of examples/ci as the two systems do: each command by a shell that stops at the first failure.

// githubJob returns the commands of the file for GitHub, and checks that results are published in any case.
func githubJob(t *testing.T, text []byte) (commands []string) {
	t.Helper()
	var file struct {
		Jobs map[string]struct {
			Steps []struct {
				Run  string         `json:"run"`
				Uses string         `json:"uses"`
				If   string         `json:"if"`
				With map[string]any `json:"with"`
			} `json:"steps"`
		} `json:"jobs"`
	}
	decodeYAML(t, text, &file)
	published := map[string]bool{}
	for _, job := range file.Jobs {
		for _, s := range job.Steps {
			if s.Run != "" {
				commands = append(commands, s.Run)
			}
			for _, key := range []string{"sarif_file", "report_paths"} {
				name, isFile := s.With[key].(string)
				if published[name] = isFile; isFile && s.If != "always()" {
					t.Errorf("%s publishes %s only if all steps before succeed", s.Uses, name)
				}
			}
		}
	}
	if !published["fabric.xml"] || !published["fabric.sarif"] {
		t.Errorf("published are %v", published)
	}
	return commands
}

// gitlabJob is the same for GitLab.
func gitlabJob(t *testing.T, text []byte) (commands []string) {
	t.Helper()
	var file map[string]struct {
		Before    []string `json:"before_script"`
		Script    []string `json:"script"`
		Artifacts struct {
			When    string            `json:"when"`
			Paths   []string          `json:"paths"`
			Reports map[string]string `json:"reports"`
		} `json:"artifacts"`
	}
	decodeYAML(t, text, &file)
	for _, job := range file {
		commands = append(append(commands, job.Before...), job.Script...)
		if a := job.Artifacts; a.When != "always" || a.Reports["junit"] != "fabric.xml" || strings.Join(a.Paths, " ") != "fabric.xml fabric.sarif" {
			t.Errorf("%+v", a)
		}
	}
	return commands
}

func decodeYAML(t *testing.T, text []byte, into any) {
	t.Helper()
	docs, err := yamldoc.Parse(text)
	if err != nil || len(docs) != 1 {
		t.Fatal(len(docs), err)
	}
	document, err := docs[0].JSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(document, into); err != nil {
		t.Fatal(err)
	}
}

// TestCIExamples runs both jobs in a repository whose tables are sound, have a loop, and are cut off, one after the other, so that files of
// the run before are there.
func TestCIExamples(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh on this machine")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(*testing.T, []byte) []string{"github-actions.yml": githubJob, "gitlab-ci.yml": gitlabJob} {
		text, err := os.ReadFile(filepath.Join("../../examples/ci", name))
		if err != nil {
			t.Fatal(err)
		}
		commands, repository, bin := read(t, text), t.TempDir(), t.TempDir()
		script := "#!/bin/sh\n" + asProgram + "=1 exec '" + self + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, "turnproof"), []byte(script), 0o755); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
		for _, c := range []struct {
			engine, broken           string
			status, failures, errors int
		}{
			{"file-synth-updown", "", 0, 0, 0},
			{"updn", "", 1, 1, 0},
			{"file-synth-updown", "0x0001 zzz\n", 2, 0, 1},
			{"file-synth-updown", "", 0, 0, 0},
			{"", "", 2, 0, 1},
		} {
			fillDumps(t, filepath.Join(repository, "dumps"), c.engine, c.broken)
			status := runJob(t, commands, repository, bin)
			s := readJUnit(t, filepath.Join(repository, "fabric.xml"))
			ok, _ := invocation(t, filepath.Join(repository, "fabric.sarif"))
			if status != c.status || s.Failures != c.failures || s.Errors != c.errors || ok == (c.errors > 0) {
				t.Errorf("%s: %+v: exit status %d, JUnit %+v, SARIF successful: %v", name, c, status, s, ok)
			}
		}
	}
}

// fillDumps makes the folder with the dumps of an engine, and with a line behind the tables. Without an engine it removes the folder.
func fillDumps(t *testing.T, dir, engine, broken string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil || engine == "" {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"topology.ibnetdiscover", "opensm-lfts.dump"} {
		text := plainFile(filepath.Join(fabric, engine), name)
		if name == "opensm-lfts.dump" {
			text = append(text, broken...)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// runJob runs commands but those that install, and returns the exit status of the first that fails.
func runJob(t *testing.T, commands []string, dir, bin string) int {
	t.Helper()
	ran := 0
	for _, command := range commands {
		if strings.Contains(command, "go install ") {
			continue
		}
		ran++
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", command)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil {
			t.Fatalf("%v\n%s", err, out)
		} else if err != nil {
			return cmd.ProcessState.ExitCode()
		}
	}
	if ran == 0 {
		t.Error("the job has no command")
	}
	return 0
}
