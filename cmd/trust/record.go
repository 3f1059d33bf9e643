package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/internal/disk"
)

// This file runs a stage and writes its record.

// runOne runs a stage in an empty work folder. The record includes what the stage found wrong.
// If the stage cannot run, the record stays as it is.
func runOne(ctx context.Context, s stage.Stage, o stage.Options, folder string) error {
	record := &bytes.Buffer{}
	begun := time.Now()
	outcome := inWorkFolder(o, func(o stage.Options) error { return s.Run(ctx, o, record) })
	var found *stage.Found
	if outcome != nil && !errors.As(outcome, &found) {
		return outcome
	}
	text, err := merged(s, []string{record.String()})
	if err != nil {
		return err
	}
	record = bytes.NewBufferString("# " + s.Title + "\n\n" + text)
	fmt.Fprintf(record, "\n(`trust %s`, seed %d: %v on %s, commit %s.)\n", s.Name, o.Seed,
		time.Since(begun).Round(time.Second), begun.UTC().Format(time.DateOnly), commit(ctx, o.Root))
	return errors.Join(outcome, write(folder, s.Name+".md", record.Bytes()))
}

// merged returns the record of a stage from what its parts have written.
func merged(s stage.Stage, parts []string) (string, error) {
	if s.Merge != nil {
		return s.Merge(parts)
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	var text strings.Builder
	for i, part := range parts {
		fmt.Fprintf(&text, "## Part %d of %d\n\n%s", i+1, len(parts), part)
	}
	return text.String(), nil
}

// inWorkFolder calls run with an empty work folder and absolute paths.
func inWorkFolder(o stage.Options, run func(stage.Options) error) (err error) {
	if o.Work, err = os.MkdirTemp("", "trust-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(o.Work) }()
	if o.Bin, err = filepath.Abs(o.Bin); err != nil {
		return err
	}
	if o.Root, err = filepath.Abs(o.Root); err != nil {
		return err
	}
	return run(o)
}

// write writes a file of the record, or prints it if folder is empty.
func write(folder, name string, text []byte) error {
	if folder == "" {
		_, err := os.Stdout.Write(text)
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return disk.Write(filepath.Join(folder, name), 0o644, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// commit names the source tree.
func commit(ctx context.Context, root string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "describe", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
