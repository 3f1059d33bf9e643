package check

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads --classes and the flags that go with it.

// conditions returns those of its arguments that are not nil.
func conditions(gating *gate.Setup, flow *bubble.Flow, classes *model.Protocol) (list []model.Condition) {
	if gating != nil {
		list = append(list, gating)
	}
	if flow != nil {
		list = append(list, flow)
	}
	if classes != nil {
		list = append(list, classes)
	}
	return list
}

// readClasses returns the list of classes or the protocol that --classes describes, or nil without the flag.
func readClasses(c *cli.Context, in *resolve.Subject) (*model.Protocol, error) {
	text := c.String("classes")
	if text == "" {
		for _, flag := range []string{"initiators", "targets", "fewest-networks"} {
			if c.IsSet(flag) {
				return nil, fmt.Errorf("--%s needs --classes", flag)
			}
		}
		return nil, nil
	}
	if in.Booksim != nil && in.Booksim.Run.Replies != nil {
		return nil, fmt.Errorf("%s already has classes of messages by use_read_write; remove --classes", in.Name)
	}
	p, err := input.Protocol(c, in, text, c.String("initiators"), c.String("targets"))
	switch {
	case err != nil:
		return nil, err
	case p != nil:
		return p, nil
	case c.Bool("fewest-networks"):
		return nil, errors.New("--fewest-networks needs a protocol: a file, or causes as in request:,reply:request")
	}
	if p, err = model.ParseClasses(text); err != nil {
		err = fmt.Errorf("--classes: %w", err)
	}
	return p, err
}
