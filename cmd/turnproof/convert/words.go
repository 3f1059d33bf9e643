package convert

import (
	"github.com/turnproof/turnproof/model/format"
)

func convertWords() []string {
	names, _ := format.NetworkFormats()
	for _, f := range routingFormats {
		names = append(names, f.name)
	}
	return names
}
