package report

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file turns the command line into a request for each routing.

// request returns what the command line says about one routing. --sl and --sl2vl apply to the
// first routing only, since other tables have other service levels. --management and --lmc apply
// to the first routing and to all files of tables.
func request(c *cli.Context, path, word string, first bool) (resolve.Request, error) {
	q, err := input.Request(c, path)
	if err != nil {
		return q, err
	}
	q.Routing, q.NeedsRouting, q.Sums = word, true, true
	if !first {
		q.SL, q.SL2VL = "", ""
	}
	if word != "" && (resolve.IsRoutingName(word) || program.Is(word)) {
		if !first {
			q.Management, q.LMC = "", nil
		}
		return q, nil
	}
	file, levels := levelsOf(word)
	q.Routing = file
	for name, field := range map[string]*string{"sl": &q.SL, "sl2vl": &q.SL2VL} {
		if levels[name] != "" && *field != "" {
			return q, fmt.Errorf("--%s and %s=: the service levels of %s are given twice", name, name, file)
		}
		*field += levels[name]
	}
	return q, nil
}

// levelsOf splits FILE,sl=FILE,sl2vl=FILE into the file of tables and the files of service levels.
func levelsOf(word string) (file string, levels map[string]string) {
	parts := strings.Split(word, ",")
	levels = map[string]string{}
	for k := len(parts) - 1; k > 0; k-- {
		name, value, _ := strings.Cut(parts[k], "=")
		if name != "sl" && name != "sl2vl" || value == "" || levels[name] != "" {
			break // a comma within the name of a file
		}
		levels[name], parts = value, parts[:k]
	}
	return strings.Join(parts, ","), levels
}
