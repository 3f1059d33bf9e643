package resolve

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file reads routings by name: NAME[,KEY=VALUE...].

// IsRoutingName reports whether word names a routing and not a file. A known name is a routing
// even if a file has the same name; ./NAME is the file.
func IsRoutingName(word string) bool {
	if name, _, _ := strings.Cut(word, ","); slices.Contains(RoutingNames(), name) {
		return true
	}
	if word == "-" || strings.ContainsAny(word, "/.") {
		return false
	}
	_, err := os.Stat(word)
	return err != nil
}

// RoutingNames returns all names of routings: those of makers, then the others.
func RoutingNames() []string {
	names := madeNames()
	for _, r := range NamedRoutings() {
		names = append(names, r.Name)
	}
	return names
}

// NamedRoutings returns the routings that no maker makes.
func NamedRoutings() []route.Routing {
	made := madeNames()
	return slices.DeleteFunc(route.Routings(), func(r route.Routing) bool { return slices.Contains(made, r.Name) })
}

// Named returns the routing of a name with its options. It does not make routings of makers.
func Named(spec string, n *model.Network) (model.Relation, error) {
	name, _, _ := strings.Cut(spec, ",")
	r, err := route.Find(name)
	if err != nil {
		names := RoutingNames()
		return nil, fmt.Errorf("--routing %s: there is no such file and no such routing%s; known are %s", spec, spelling.Suggest(name, names),
			strings.Join(names, ", "))
	}
	var o route.Options
	if err := option.Parse(spec, r.Options, &o); err != nil {
		return nil, fmt.Errorf("--routing %s: %w", spec, err)
	}
	return route.New(name, n, o)
}
