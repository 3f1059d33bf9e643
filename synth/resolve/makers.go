package resolve

import (
	"context"
	"errors"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// This file is the door for packages that make routings by other means than a file or a name of model/route. They register; package
// synth/makers links all of them.

// Maker makes the routings that some words name.
type Maker struct {
	// Names are the names that it makes routings of, for lists and for errors. It may be nil.
	Names func() []string
	// Has reports whether it reads the word.
	Has func(word string) bool
	// Route makes the routing of a word. paths is empty unless TakesPaths.
	Route      func(ctx context.Context, word, paths string, n *model.Network, o format.Options) (*Route, error)
	TakesPaths bool
}

var makers []Maker

// RegisterMaker adds a maker. Packages call it in their init functions.
func RegisterMaker(m Maker) { makers = append(makers, m) }

// makerOf returns the maker of a word, or nil.
func makerOf(word string) *Maker {
	for i := range makers {
		if makers[i].Has(word) {
			return &makers[i]
		}
	}
	return nil
}

// madeNames returns the names of all makers.
func madeNames() (names []string) {
	for _, m := range makers {
		if m.Names != nil {
			names = append(names, m.Names()...)
		}
	}
	return names
}

// PathChoice is a value of the option paths: which legal paths of a turn set packets take.
type PathChoice struct{ Name, About string }

// PathsAll is the default choice: every shortest legal path.
const PathsAll = "all"

// TurnPaths makes relations of turn sets.
type TurnPaths struct {
	Choices []PathChoice // the default first
	// Relation returns the routing that takes paths of a turn set. Its network is n, or n with one VC. paths is a name of Choices.
	Relation func(ctx context.Context, allowed *model.TurnSet, n *model.Network, paths string) (model.Relation, error)
}

var turnPaths TurnPaths

// RegisterPaths sets how relations of turn sets are made.
func RegisterPaths(p TurnPaths) { turnPaths = p }

// PathChoices returns the values of the option paths, the default first.
func PathChoices() []PathChoice { return turnPaths.Choices }

// PathWords returns the names of PathChoices.
func PathWords() (words []string) {
	for _, p := range turnPaths.Choices {
		words = append(words, p.Name)
	}
	return words
}

// FromTurnSet returns the routing that takes paths of a turn set. Its network is n, or n with one
// VC. paths is a value of PathChoices.
func FromTurnSet(ctx context.Context, allowed *model.TurnSet, n *model.Network, paths string) (model.Relation, error) {
	if turnPaths.Relation == nil {
		return nil, errors.New("no package makes routings of turn sets: import synth/makers")
	}
	return turnPaths.Relation(ctx, allowed, n, paths)
}

// MaxPairHosts is the largest number of hosts for which a path is stored for each pair.
const MaxPairHosts = 1024
