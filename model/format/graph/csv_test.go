package graph

import "testing"

// TestTablesAreNoNetworks recognises the header of each table that is neither links nor a routing. A CSV of links with other columns stays
// a network.
func TestTablesAreNoNetworks(t *testing.T) {
	for _, columns := range []string{"switch,in_port,out_port,from,to,turn", "number,switch,out_port,to,turn", "source,destination,lid,links,unrestricted"} {
		for _, header := range []string{columns, columns + ",from,to,weight"} {
			if isCSV([]byte(header + "\n")) {
				t.Errorf("%s is a network", header)
			}
		}
	}
	for _, header := range []string{"node,from,destination,next,to", "source,destination,hop,node,target", "switch,destination,out_port,from,to"} {
		if isCSV([]byte(header + "\n")) {
			t.Errorf("%s is a network", header)
		}
	}
	for _, header := range []string{"a,b", "from,to,weight", "source,target,in_port,out_port", "u,v,allowed"} {
		if !isCSV([]byte(header + "\n")) {
			t.Errorf("%s is no network", header)
		}
	}
}
