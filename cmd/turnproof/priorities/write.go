package priorities

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/synth/priorities"
	"github.com/turnproof/turnproof/synth/priorities/configure"
	"github.com/turnproof/turnproof/verify"
)

// This file writes the folder of --sonic and reads it back.

// outputs returns an error if a folder to be written is not new or empty, or is in the folder that is read.
func outputs(c *cli.Context, path string) error {
	for _, flag := range []string{"sonic", "policies"} {
		if err := cli.Outside(c, flag, path); err != nil {
			return err
		}
		if err := cli.NewFolder(c, flag); err != nil {
			return err
		}
	}
	return nil
}

// write writes the folder, and proves it again.
func (r *result) write() error {
	dir := r.c.String("sonic")
	if dir == "" {
		return nil
	}
	isKept := r.tunnels != nil && r.tunnels.list == nil // the present maps are proved: all files stay as they are
	files, err := r.configs()
	if err != nil {
		return fmt.Errorf("--sonic: %w", err)
	}
	if err := r.oneFolderEach(); err != nil {
		return err
	}
	if err := cli.WriteFolder(r.c, dir, func(write cli.FileWriter) error {
		for _, sw := range r.fabric.Dumps() {
			for _, file := range sw.Files {
				if sw.QoS != nil && file == sw.QoS.File && !isKept {
					continue
				}
				if err := copyFile(write, filepath.Join(sw.Name, filepath.Base(file)), file); err != nil {
					return err
				}
			}
			if isKept {
				continue
			}
			if err := write(filepath.Join(sw.Name, "config_db.json"), func(w io.Writer) error { _, err := w.Write(files[sw.Name]); return err }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	q, err := input.Request(r.c, dir)
	if err != nil {
		return err
	}
	q.NeedsRouting = true
	in, err := input.Load(r.c, q)
	if err != nil {
		return fmt.Errorf("--sonic %s, read back: %w", dir, err)
	}
	o, err := judging.Options(r.c, in)
	if err == nil {
		r.read, err = verify.Check(r.c.Context, in.Rel, o)
	}
	return err
}

// writePolicies writes the folder of --policies, and proves the routes without the next hops.
func (r *result) writePolicies() error {
	dir := r.c.String("policies")
	switch {
	case dir == "":
		return nil
	case r.tunnels != nil || r.c.IsSet("bounces"):
		return errors.New("--policies withdraws present routes; it cannot be combined with --bounces or tunnels (dual ToR)")
	case r.found.Bound < 2:
		return errors.New("--policies: the routes have no cyclic buffer dependency: there is nothing to withdraw")
	case r.withdrawn == nil || len(r.withdrawn.List) == 0:
		return errors.New("--policies: no next hops are found that can be withdrawn without the loss of a pair")
	}
	files, err := configure.Policies(r.fabric, r.withdrawn.List)
	if err == nil {
		err = configure.KeepsOthers(r.fabric, r.withdrawn.List)
	}
	if err != nil {
		return fmt.Errorf("--policies: %w", err)
	}
	if err := cli.WriteFolder(r.c, dir, func(write cli.FileWriter) error {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if err := write(name+".conf", func(w io.Writer) error { _, err := w.Write(files[name]); return err }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	o, err := judging.Options(r.c, r.in)
	if err == nil {
		o.Doubts = r.fabric.WithoutPriorities(o.Doubts)
		o.Premises = r.fabric.PremiseOf(o.Premises, "one, with PFC on at every port", model.Assumed)
		r.filtered, err = verify.Check(r.c.Context, priorities.Without(r.fabric.Routes(), r.withdrawn.List), o)
	}
	return err
}

// configs returns the new config_db.json of each switch.
func (r *result) configs() (map[string][]byte, error) {
	if r.tunnels != nil && r.tunnels.list == nil {
		return nil, nil
	}
	if r.tunnels != nil {
		return r.tunnels.SONiC(r.tunnels.list)
	}
	plan, err := configure.New(r.fabric, r.found, r.options)
	if err != nil {
		return nil, err
	}
	return plan.SONiC()
}

// oneFolderEach fails if a file has the dumps of several switches.
func (r *result) oneFolderEach() error {
	of := map[string]string{}
	for _, sw := range r.fabric.Dumps() {
		for _, file := range sw.Files {
			if of[file] != "" {
				return fmt.Errorf("--sonic: %s has the dumps of %s and %s; want files for each switch", file, of[file], sw.Name)
			}
			of[file] = sw.Name
		}
	}
	return nil
}

// copyFile copies a file of the folder, without compression.
func copyFile(write cli.FileWriter, name, from string) error {
	name = unpack.TrimSuffix(name)
	_, err := textfile.Read(from, nil, func(src *textfile.File) (struct{}, error) {
		return struct{}{}, write(name, func(w io.Writer) error { _, err := io.Copy(w, src.Reader); return err })
	})
	return err
}
