package draw

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// drawSpace draws one maximal set of each class, or the published set that --routing names.
func drawSpace(c *cli.Context, s *space.Space) (*figure.Graph, error) {
	name := c.String("routing")
	if name == "" {
		return enumerate.SpaceFigure(c.Context, s)
	}
	var names []string
	for _, p := range s.Published() {
		if p.Name == name {
			head := []string{fmt.Sprintf("%d of %d class turns prohibited", p.Prohibited.Len(), len(s.Turns))}
			return figure.TurnSets([]figure.TurnSet{enumerate.PanelOf(s, s.All().Minus(p.Prohibited), head)},
				figure.Options{Title: "Turn model of " + name}), nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("no published set of class turns %q of %s, known are %s", name, s.Name, strings.Join(names, ", "))
}
