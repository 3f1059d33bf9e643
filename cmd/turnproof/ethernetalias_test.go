package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAliasesOfPorts reads LLDP as SONiC sends it: the alias of a port as its identifier, and any text as its description. The aliases are in
// config_db.json; without them, the neighbour's own LLDP or the subnets tell the port.
func TestAliasesOfPorts(t *testing.T) {
	ifname := regexp.MustCompile(`\{"type":"ifname","value":"swp(\d+)"\}`)
	for _, c := range []struct {
		kinds    string
		hasNames bool // config_db.json has the aliases
	}{{"kernel addresses lldp", true}, {"kernel lldp", true}, {"kernel addresses lldp", false}, {"zebra lldp", true}} {
		plain, dir := writeLeafSpine(t, c.kinds), writeLeafSpine(t, c.kinds)
		files, err := filepath.Glob(filepath.Join(dir, "*", "lldp.json"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			rewrite(t, file, func(text string) string {
				if !ifname.MatchString(text) {
					t.Errorf("no port in %s", text)
				}
				return ifname.ReplaceAllString(text, `{"type":"local","value":"etp$1"}],"descr":[{"value":"uplink $1"}`)
			})
			ports := object{}
			for k := range 9 {
				ports[fmt.Sprint("swp", k)] = object{"alias": fmt.Sprint("etp", k), "description": fmt.Sprint("uplink ", k)}
			}
			text, err := json.Marshal(object{"PORT": ports})
			if err == nil && c.hasNames {
				err = os.WriteFile(filepath.Join(filepath.Dir(file), "config_db.json"), text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		cut := func(dir string) string {
			stdout, stderr, _ := turnproof(t, "check", dir)
			_, text, _ := strings.Cut(stdout, ":")
			text, _, _ = strings.Cut(text, "Premises")
			return text + stderr
		}
		if got, want := cut(dir), cut(plain); got != want || !strings.Contains(want, "PROVED     deadlock-free") {
			t.Errorf("%+v: %s\nwant %s", c, got, want)
		}
	}
}
