package convert

import (
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model/format"
)

// convertWords returns the names of the formats.
func convertWords() []string {
	names := registry.Names(format.NetworkFormats(), func(f format.NetworkFormat) string { return f.Name })
	for _, f := range routingFormats {
		names = append(names, f.name)
	}
	return names
}
