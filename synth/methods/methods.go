package methods

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads routings that turn methods make: NAME[,KEY=VALUE...].

// IsMethod reports whether name is the name of a turn method.
func IsMethod(name string) bool { return slices.Contains(synth.Names(), name) }

func init() {
	resolve.RegisterMaker(resolve.Maker{Names: synth.Names, Has: reads, Route: makeRoute, TakesPaths: true})
	resolve.RegisterPaths(resolve.TurnPaths{Choices: pathChoices, Relation: fromTurnSet})
}

// Of returns the turn set that a method made for the routing of s, or nil.
func Of(s *resolve.Subject) *synth.Result {
	made, _ := s.Source.(*synth.Result)
	return made
}

// reads reports whether word names a turn method, and neither a file nor a routing program.
func reads(word string) bool {
	name, _, _ := strings.Cut(word, ",")
	return !strings.HasSuffix(word, ".star") && resolve.IsRoutingName(word) && IsMethod(name)
}

// makeRoute makes the routing of a turn method.
func makeRoute(ctx context.Context, word, paths string, n *model.Network, _ format.Options) (*resolve.Route, error) {
	if _, keys, _ := strings.Cut(word, ","); paths != "" && strings.Contains(","+keys, ",paths=") {
		return nil, fmt.Errorf("--routing %s says the paths already: leave out --paths", word)
	}
	rel, made, err := methodRouting(ctx, word, paths, n)
	if err != nil {
		return nil, err
	}
	r := &resolve.Route{Relation: rel}
	if made != nil {
		r.Source, r.Allowed = made, made.Allowed
	}
	return r, nil
}

// methodRouting returns the routing NAME[,KEY=VALUE...] of a turn method and its turn set, which
// is nil if the routing needs none. flag, if not empty, is the value of --paths.
func methodRouting(ctx context.Context, spec, flag string, n *model.Network) (model.Relation, *synth.Result, error) {
	name, o, paths, err := Parse(spec)
	if err != nil {
		return nil, nil, err
	}
	if flag != "" {
		paths = flag
	}
	if name == "updown" && paths == resolve.PathsAll && plainUpDown(n, o) {
		r, err := upDown(ctx, n, o.Root)
		return r, nil, err
	}
	made, err := synth.New(ctx, name, n, o)
	if err != nil {
		return nil, nil, fmt.Errorf("--routing %s: %w", spec, err)
	}
	r, err := fromTurnSet(ctx, made.Allowed, n, paths)
	return r, made, err
}

// pathNames returns the values of the option paths.
func pathNames() (names []string) {
	for _, p := range pathChoices {
		names = append(names, p.Name)
	}
	return names
}

// methodWords are the options of a method and its option paths.
type methodWords struct {
	options synth.Options
	paths   string
}

var pathsOption = option.NewWord("paths", "which of the paths that the set allows", pathNames(), func(o *methodWords) *string { return &o.paths })

// Keys returns the options that may follow the name of a method.
func Keys(m synth.Method) []string {
	return append([]string{pathsOption.Name}, option.Words(m.Options)...)
}

// Parse reads the name of a method with its options and the option paths.
func Parse(spec string) (name string, o synth.Options, paths string, err error) {
	name, _, _ = strings.Cut(spec, ",")
	m, err := synth.Find(name)
	if err != nil {
		return name, o, "", fmt.Errorf("--routing %s: %w", spec, err)
	}
	var words methodWords
	list := option.Within(m.Options, func(w *methodWords) *synth.Options { return &w.options })
	if err := option.Parse(spec, append([]option.Option[methodWords]{pathsOption}, list...), &words); err != nil {
		return name, o, "", fmt.Errorf("--routing %s: %w", spec, err)
	}
	return name, words.options, cmp.Or(words.paths, resolve.PathsAll), nil
}

// plainUpDown reports whether the options set nothing but the root, and this to a switch. Then the
// relation needs no turn set.
func plainUpDown(n *model.Network, o synth.Options) bool {
	_, err := synth.RootSwitch(n, o.Root)
	root := o.Root
	o.Root = ""
	return o == synth.Options{} && (root == "" || root == synth.RootAuto || err == nil)
}

// upDown returns the up*/down* relation of model/route, with the root that the turn set would
// have. This relation takes little memory. It works on networks that are not connected.
func upDown(ctx context.Context, n *model.Network, root string) (model.Relation, error) {
	var o route.Options
	u, err := synth.RootSwitch(n, root)
	if err != nil {
		u, err = synth.AutoRoot(ctx, n, hv.Options{})
	}
	var parts *hv.DisconnectedError
	switch {
	case errors.As(err, &parts): // each part has a root of its own
	case err != nil:
		return nil, err
	default:
		o.Root = &u
	}
	return route.New("updown", n, o)
}
