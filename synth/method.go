package synth

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file holds entries of the table of methods, which is in methods.go. Help texts and docs are made from it. The table of their
// options is in options.go.

// Method is an entry of the table.
type Method struct {
	Name    string
	Text    string // one line for help
	Source  string
	Tree    bool     // whether the method needs a spanning tree
	Options []Option // the options that the method reads
	// Searches is true for a method that searches until its time is over. Published methods do
	// not.
	Searches bool

	run func(*work) (*model.TurnSet, error)
}

// Methods returns the table.
func Methods() []Method { return slices.Clone(methods) }

// Find returns the method of a name.
func Find(name string) (Method, error) {
	return registry.Find("method", name, methods, func(m Method) string { return m.Name })
}

// Reads reports whether the method has the option of this name.
func (m Method) Reads(name string) bool { return option.Has(m.Options, name) }

var methods []Method

// Names returns the names of the methods.
func Names() []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// Published returns the names of the methods that do not search.
func Published() (names []string) {
	for _, m := range methods {
		if !m.Searches {
			names = append(names, m.Name)
		}
	}
	return names
}

// Each calls run for each of the named methods, several at once unless one of them searches: a search uses the processors
// alone. It returns the results in the order of names, or the error of the first that fails.
func Each[T any](ctx context.Context, names []string, run func(name string) (T, error)) ([]T, error) {
	workers := parallel.Workers(len(names))
	for _, name := range names {
		if m, err := Find(name); err != nil || m.Searches {
			workers = 1
		}
	}
	results := make([]T, len(names))
	err := parallel.Do(ctx, workers, len(names), func(_, i int) (err error) {
		results[i], err = run(names[i])
		return err
	})
	return results, err
}

// New makes the turn set of the named method for n. The set is of channels: all virtual channels
// of a channel have the same turns. New fails for an unknown name, an option that the method does
// not read, an unknown root, and a network that is not connected (*hv.DisconnectedError).
func New(ctx context.Context, name string, n *model.Network, o Options) (*Result, error) {
	m, err := Find(name)
	if err != nil {
		return nil, err
	}
	if foreign := option.Foreign(&o, m.Options, AllOptions()); foreign != "" {
		return nil, fmt.Errorf("method %s has no option %s", name, foreign)
	}
	w := newWork(ctx, n, o)
	w.res.Method = name
	if m.Tree {
		if err := w.grow(m); err != nil {
			return nil, err
		}
	} else if _, err := hv.NewTree(w.net, 0, hv.Options{}); err != nil {
		return nil, err // not connected
	}
	set, err := m.run(w)
	if err != nil {
		return nil, err
	}
	if o.Release {
		if err := w.release(set); err != nil {
			return nil, err
		}
	}
	w.res.Allowed = set
	return w.res, nil
}
