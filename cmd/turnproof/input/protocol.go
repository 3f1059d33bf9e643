package input

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads the protocol that --classes describes.

// ProtocolFile reports whether the value of --classes names a file.
func ProtocolFile(classes string) bool {
	return slices.ContainsFunc([]string{".yaml", ".yml", ".json"}, func(end string) bool { return strings.HasSuffix(classes, end) })
}

// HasCauses reports whether the value of --classes is a protocol: a file, or classes with causes, as in request:,reply:request.
func HasCauses(classes string) bool { return ProtocolFile(classes) || strings.Contains(classes, ":") }

// Protocol returns the protocol that classes, the value of --classes, describes: in a file, or in
// short form with causes or roles. It returns nil for a plain list of classes without roles.
func Protocol(c *cli.Context, in *resolve.Subject, classes, initiators, targets string) (*model.Protocol, error) {
	if ProtocolFile(classes) {
		cli.Reads(c, classes)
	}
	return ReadProtocol(in, classes, initiators, targets)
}

// ReadProtocol is Protocol for an input that cli knows.
func ReadProtocol(in *resolve.Subject, classes, initiators, targets string) (*model.Protocol, error) {
	var text *protocol.Text
	switch {
	case ProtocolFile(classes):
		if initiators != "" || targets != "" {
			return nil, fmt.Errorf("%s has the roles of hosts; remove --initiators and --targets", classes)
		}
		content, err := os.ReadFile(classes)
		if err != nil {
			return nil, fmt.Errorf("--classes: %w", err)
		}
		in.SumFile(classes)
		if text, err = protocol.Parse(classes, content); err != nil {
			return nil, err
		}
	case HasCauses(classes) || initiators != "" || targets != "":
		var err error
		if text, err = protocol.ParseShort(classes, initiators, targets); err != nil {
			return nil, fmt.Errorf("--classes: %w", err)
		}
	default:
		return nil, nil
	}
	return text.Bind(in.Net)
}
