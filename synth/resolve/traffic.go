package resolve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
)

// Traffic reads a value of --traffic: uniform, halves[:BETWEEN] or a file. It returns the word
// too. The default is uniform; for two joined fat trees it is the traffic of the paper,
// halves:0.01.
func Traffic(word, spec string, n *model.Network, o format.Options) (*model.Traffic, string, error) {
	if word == "" {
		if word = "uniform"; strings.HasPrefix(spec, "fattree-pair:") {
			word = "halves:0.01"
		}
	}
	kind, value, given := strings.Cut(word, ":")
	switch {
	case word == "uniform":
		return model.UniformTraffic(n), word, nil
	case kind == "halves":
		between := 0.01
		if given {
			var err error
			if between, err = strconv.ParseFloat(value, 64); err != nil {
				return nil, "", fmt.Errorf("--traffic %s: %q is no amount", word, value)
			}
		}
		t, err := model.HalvesTraffic(n, 1, between)
		return t, word, err
	}
	t, err := lists.ReadTraffic(word, n, o)
	return t, word, err
}
