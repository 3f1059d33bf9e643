package info

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/smt"
)

func Version() *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version and what this build can do",
		Description: "Examples:\n  turnproof version\n  turnproof version --json",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON object", Category: cli.CategoryOutput}},
		Action: func(c *cli.Context) error {
			if c.Bool("json") {
				return json.NewEncoder(c.App.Writer).Encode(map[string]any{
					"schema": "turnproof.version/1", "version": c.App.Version, "go": runtime.Version(),
					"platform": runtime.GOOS + "/" + runtime.GOARCH, "z3": smt.Version(),
				})
			}
			z3 := "without Z3 (prove and --cross-check are not available)"
			if smt.Available() {
				z3 = "with Z3 " + smt.Version()
			}
			fmt.Fprintf(c.App.Writer, "turnproof %s, %s, %s/%s, %s\n", c.App.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, z3)
			return nil
		},
	}
}
