//go:build !unix

package faults

import (
	"context"
	"errors"
	"io"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// Stage is there for Unix only.
var Stage = stage.Stage{Name: "faults", Title: "Faults of the machine", Run: func(context.Context, stage.Options, io.Writer) error {
	return errors.New("faults: signals, limits and mounts of Unix are needed")
}}
