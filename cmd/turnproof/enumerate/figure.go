package enumerate

import (
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// figure draws one listed set of each class.
func (x *enumeration) figure(c *cli.Context, file string) error {
	kind, err := picture.Format(file)
	if err != nil {
		return err
	}
	g, err := enumerate.ClassFigure(x.e.Space, x.list)
	if err != nil {
		return err
	}
	return picture.Render(c, file, kind, g)
}
