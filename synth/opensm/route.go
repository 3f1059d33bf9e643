package opensm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// This file routes one network.

// Options say how OpenSM routes.
type Options struct {
	Engine string // a routing engine, such as "updn"
	// Roots is a file with the GUIDs of root switches (option -a of OpenSM), or "".
	Roots string
	// Torus is the file of torus-2QoS that describes the torus, or "".
	Torus string
	// Tables is a file of forwarding tables for the engine file (option -U), or "".
	Tables string
	// Policy is a file with a QoS policy (option -Y), or "". Paths then have the service levels of its rules.
	Policy string
	// Config is a configuration file of OpenSM, or "". Its keys for the port, the files and the kind of process are not used.
	Config string
	// Limit is the time until the subnet must be up; defaults to DefaultLimit.
	Limit time.Duration
}

// DefaultLimit is the default of Options.Limit.
const DefaultLimit = 5 * time.Minute

// Routed is a network that OpenSM has routed.
type Routed struct {
	Folder string // topology, tables and service levels, as check reads them
	Engine string // that routed; another one than Options.Engine if that one failed
	// Reason is what the log says of an engine that failed, or "".
	Reason string
}

// withLevels are engines that give service levels to paths.
var withLevels = map[string]bool{"lash": true, "dfsssp": true, "nue": true, "torus-2QoS": true}

// Route routes n by an engine over ibsim, and writes the topology, the tables and the service levels to folder, which it makes. LIDs of n are
// kept. It returns a *Failed if OpenSM does not route the network: the network is at fault, or the engine.
//
// Cost: two processes for about a second, and up to a millisecond for each pair of hosts if paths have service levels.
func (t *Tools) Route(ctx context.Context, n *model.Network, folder string, o Options) (routed *Routed, err error) {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	dir, err := os.MkdirTemp("", "turnproof-opensm-")
	if err != nil {
		return nil, err
	}
	s := t.newSimulation(dir)
	defer func() {
		s.stop()
		if ctx.Err() != nil { // the programs have ended with ctx
			routed, err = nil, ctx.Err()
		}
		if rerr := os.RemoveAll(dir); err == nil && rerr != nil {
			err = rerr
		}
	}()
	netlist := filepath.Join(dir, "topology.ibnetdiscover")
	if n, err = writeNetlist(netlist, n); err != nil {
		return nil, &Failed{err.Error()}
	}
	args, asks, err := o.args(dir, n)
	if err != nil {
		return nil, err
	}
	if err := s.startFabric(ctx, netlist, n.NumSwitches(), n.NumSwitches()+n.NumHosts(), o.Limit); err != nil {
		return nil, err
	}
	log, err := s.startOpenSM(ctx, args, o.Limit)
	if err != nil {
		return nil, err
	}
	routed = &Routed{Folder: folder}
	if err := routed.readLog(log, o.Engine); err != nil {
		return nil, err
	}
	files := []string{"topology.ibnetdiscover", "opensm-lfts.dump"}
	if asks {
		if err := s.saveLevels(ctx, n); err != nil {
			return nil, err
		}
		files = append(files, "path-sl.txt", "opensm-sl2vl.dump")
	}
	return routed, keep(dir, folder, files)
}

// saveLevels asks for the service levels of all paths and writes them to path-sl.txt.
func (s *simulation) saveLevels(ctx context.Context, n *model.Network) error {
	c, err := dial(s.socket, uint32(os.Getpid()))
	if err != nil {
		return err
	}
	defer c.Close()
	list := adapters(n)
	l, err := askLevels(ctx, c, list)
	if err != nil {
		return err
	}
	return l.write(filepath.Join(s.dir, "path-sl.txt"), list)
}

// writeNetlist writes a network for ibsim, and returns it with the GUIDs and LIDs of the file.
func writeNetlist(file string, n *model.Network) (*model.Network, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	err = format.WriteNetwork(f, n, "ibnetdiscover")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	n, _, err = format.ReadNetwork(file, format.Options{})
	return n, err
}

// ownKeys are appended to the configuration. OpenSM uses the last value of a key.
const ownKeys = "\nguid 0x0000000000000000\nforce_log_flush TRUE\ndaemon FALSE\nconsole off\ndump_files_dir (null)\nsminfo_polling_timeout 10000\n"

// args returns the arguments of OpenSM, and whether paths have service levels.
func (o *Options) args(dir string, n *model.Network) (args []string, asks bool, err error) {
	config := ""
	if o.Config != "" {
		text, err := os.ReadFile(o.Config)
		if err != nil {
			return nil, false, err
		}
		config = string(text)
	}
	config += strings.ReplaceAll(ownKeys, "(null)", dir+"/")
	file := filepath.Join(dir, "opensm.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, false, err
	}
	args = []string{"-F", file, "-R", o.Engine}
	if asks = withLevels[o.Engine] || o.Policy != ""; asks {
		args = append(args, "-Q")
	}
	asks = asks || o.Config != ""
	for _, x := range [][2]string{{"-a", o.Roots}, {"--torus_config", o.Torus}, {"-U", o.Tables}, {"-Y", o.Policy}} {
		if x[1] == "" {
			continue
		}
		path, err := filepath.Abs(x[1])
		if err != nil {
			return nil, false, err
		}
		args = append(args, x[0], path)
	}
	lmc := uint8(0)
	for h := range model.HostID(n.NumHosts()) {
		lmc = max(lmc, n.Host(h).LMC)
	}
	if lmc > 0 {
		args = append(args, "-l", fmt.Sprint(lmc))
	}
	return args, asks, nil
}

var (
	configured = regexp.MustCompile(`osm_ucast_mgr_process: (\S+) tables configured on all switches`)
	complaint  = regexp.MustCompile(`ucast_mgr_route: (.*cannot.*)`)
)

// readLog finds the engine that has routed, and why the one that was asked for did not.
func (r *Routed) readLog(file, engine string) error {
	log, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	list := configured.FindAllSubmatch(log, -1)
	if list == nil {
		return &Failed{"OpenSM configured no tables"}
	}
	if r.Engine = string(list[len(list)-1][1]); r.Engine == engine {
		return nil
	}
	r.Reason = "OpenSM took another engine"
	if m := complaint.FindSubmatch(log); m != nil {
		r.Reason = string(m[1])
	}
	return nil
}

// keep copies files of dir that exist to folder, which it makes.
func keep(dir, folder string, files []string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
