package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/internal/batch"
)

// This file runs stages in parts, which can resume and run on several machines.

// part is a part of a stage. A stage that is not divisible is one part.
type part struct {
	stage.Stage
	number, of int
}

// partResult is the result of a part.
type partResult struct {
	Record string `json:"record"`
	Found  string `json:"found,omitempty"` // what is wrong with turnproof
}

// divide returns the parts of stages.
func divide(chosen []stage.Stage, parts int) (list []part) {
	for _, s := range chosen {
		of := 1
		if s.Divisible {
			of = parts
		}
		for i := range of {
			list = append(list, part{s, i, of})
		}
	}
	return list
}

// runParts runs stages in parts as the flags of package machines say, and writes a record for each stage.
func runParts(c *cli.Context, chosen []stage.Stage, o stage.Options) error {
	if err := machines.CheckFlags(c, "record"); err != nil {
		return err
	}
	if c.Int("parts") < 1 {
		return fmt.Errorf("--parts %d: want at least 1", c.Int("parts"))
	}
	list := divide(chosen, c.Int("parts"))
	tree := commit(c.Context, o.Root)
	hash, err := hashOf(list, o)
	if err != nil {
		return err
	}
	header := batch.Header{Schema: "turnproof.trust-journal/1", Hash: hash, Items: len(list), Stamp: tree}
	work := batch.Work[partResult]{N: len(list), Hash: hash, Run: "trust", Item: "part",
		Format:  batch.Indexed[partResult](header, "list of stages, or other options", nil),
		Compute: func(ctx context.Context, i int) (partResult, error) { return list[i].run(ctx, o) }}
	results, done, err := machines.Run(c, work, machines.Options{Skip: []string{"record"}})
	if err != nil || !done {
		return err
	}
	return writeParts(list, results, c.String("record"), fmt.Sprintf("seed %d, commit %s", o.Seed, tree))
}

// hashOf identifies the parts of a run.
func hashOf(list []part, o stage.Options) (string, error) {
	names := []string{fmt.Sprint(o.Seed, o.Cases, o.Time)}
	for _, p := range list {
		names = append(names, fmt.Sprint(p.Name, p.number, p.of))
	}
	text, err := json.Marshal(names)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// run runs a part. What it finds wrong is part of the result; an error says that it could not run.
func (p part) run(ctx context.Context, o stage.Options) (partResult, error) {
	if p.of > 1 {
		o.Part, o.Parts = p.number, p.of
	}
	var record bytes.Buffer
	err := inWorkFolder(o, func(o stage.Options) error { return p.Run(ctx, o, &record) })
	var found *stage.Found
	if errors.As(err, &found) {
		return partResult{record.String(), found.What}, nil
	}
	return partResult{Record: record.String()}, err
}

// writeParts writes the records of all stages, each with the origin at its end, and returns what the parts found wrong.
func writeParts(list []part, results []partResult, folder, origin string) error {
	var wrong []error
	var parts []string
	for i, p := range list {
		parts = append(parts, results[i].Record)
		if results[i].Found != "" {
			wrong = append(wrong, fmt.Errorf("%s: %s", p.Name, results[i].Found))
		}
		if p.number < p.of-1 {
			continue
		}
		text, err := merged(p.Stage, parts)
		if err != nil {
			return err
		}
		text = fmt.Sprintf("# %s\n\n%s\n(`trust %s` in %d parts: %s.)\n", p.Title, text, p.Name, p.of, origin)
		if err := write(folder, p.Name+".md", []byte(text)); err != nil {
			return err
		}
		parts = nil
	}
	return errors.Join(wrong...)
}
