package sim

import (
	"errors"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine/follow"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file prints hop by hop what single packets waited for (--follow).

func followFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Text{StringFlag: cli.StringFlag{Name: "follow", Category: cli.CategoryWatch,
			Usage: "print the hops of `PACKETS`: IDs as in --packets-out, separated by commas, or slowest:N"}},
		&cli.Output{StringFlag: cli.StringFlag{Name: "follow-out", Category: cli.CategoryWatch,
			Usage: "write the hops of --follow to `FILE` instead of printing them (CSV)"}},
	}
}

// readFollow returns the packets of --follow, or nil if the flag is not set.
func readFollow(c *cli.Context) (*follow.Chosen, error) {
	if !c.IsSet("follow") {
		if c.IsSet("follow-out") {
			return nil, errors.New("--follow-out needs --follow")
		}
		return nil, nil
	}
	if c.Bool("json") && c.String("follow-out") == "" {
		return nil, errors.New("--follow prints text; with --json, --follow-out FILE writes it")
	}
	chosen, err := follow.Parse(c.String("follow"))
	if err != nil {
		return nil, fmt.Errorf("--follow: %w", err)
	}
	return chosen, nil
}

// printFollowed prints the journeys of the chosen packets, or writes them to the file of
// --follow-out.
func printFollowed(in *resolve.Subject, c *cli.Context, chosen *follow.Chosen, res *trial.Result) error {
	journeys := chosen.Journeys(res.UnderWay)
	missing := chosen.Missing(journeys)
	for i, id := range missing {
		if i == maxMissing {
			fmt.Fprintf(c.App.ErrWriter, "note: --follow: and %d more\n", len(missing)-i)
			break
		}
		fmt.Fprintf(c.App.ErrWriter, "note: --follow: packet %d did not leave a host\n", id)
	}
	if file := c.String("follow-out"); file != "" {
		return cli.WriteFile(c, file, func(w io.Writer) error { return follow.WriteCSV(w, in.Rel, journeys) })
	}
	return follow.WriteText(c.App.Writer, in.Rel, journeys)
}

// maxMissing is the number of packets without a journey that are listed.
const maxMissing = 10
