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

// This file runs a stage and puts its section into the record.

// runOne runs a stage in an empty folder. What it found wrong is recorded, too; if it could
// not be tried, the record stays as it is.
func runOne(ctx context.Context, s stage.Stage, o stage.Options, record string) error {
	var err error
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
	var section bytes.Buffer
	begun := time.Now()
	outcome := s.Run(ctx, o, &section)
	var found *stage.Found
	if outcome != nil && !errors.As(outcome, &found) {
		return outcome
	}
	fmt.Fprintf(&section, "\n(`trust %s`, seed %d: %v on %s, commit %s.)\n", s.Name, o.Seed,
		time.Since(begun).Round(time.Second), begun.UTC().Format(time.DateOnly), commit(ctx, o.Root))
	if record == "" {
		_, err = os.Stdout.Write(section.Bytes())
	} else {
		if s.File != "" {
			record = filepath.Join(filepath.Dir(record), s.File)
		}
		err = put(record, s.Name, section.String())
	}
	return errors.Join(outcome, err)
}

// commit names the tree that was tried.
func commit(ctx context.Context, root string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "describe", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// put puts a section between its markers.
func put(file, name, section string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->\n"
	head, rest, one := strings.Cut(string(text), begin)
	_, tail, two := strings.Cut(rest, end)
	if !one || !two {
		return fmt.Errorf("%s lacks the lines %q and %q", file, begin, end)
	}
	whole := head + begin + "\n" + strings.Trim(section, "\n") + "\n\n" + end + tail
	return disk.Write(file, 0o644, func(w io.Writer) error { _, err := io.WriteString(w, whole); return err })
}
