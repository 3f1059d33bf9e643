package limits

// This file lists the commands to measure.

// series is a command that runs with one size after the other in place of SIZE.
type series struct {
	command string
	before  []string // commands that make its input
	sizes   []string
	counts  bool    // sizes are numbers, not networks
	by      measure // what time grows with
}

var (
	meshes   = []string{"mesh:16x16", "mesh:32x32", "mesh:64x64", "mesh:128x128", "mesh:256x256", "mesh:512x512", "mesh:1024x1024"}
	tori     = []string{"torus:4x4", "torus:8x8", "torus:16x16", "torus:24x24", "torus:32x32", "torus:48x48", "torus:64x64"}
	fatTrees = []string{
		"fattree:k=8,levels=3", "fattree:k=12,levels=3", "fattree:k=16,levels=3", "fattree:k=20,levels=3",
		"fattree:k=24,levels=3", "fattree:k=28,levels=3", "fattree:k=32,levels=3", "fattree:k=40,levels=3", "fattree:k=48,levels=3"}
	irregular = []string{
		"random:switches=64,degree=4", "random:switches=128,degree=4", "random:switches=256,degree=4",
		"random:switches=512,degree=4", "random:switches=1024,degree=4", "random:switches=2048,degree=4",
		"random:switches=4096,degree=4", "random:switches=8192,degree=4", "random:switches=16384,degree=4"}
	smallTori  = []string{"torus:4x4", "torus:5x5", "torus:6x6", "torus:7x7", "torus:8x8", "torus:10x10", "torus:12x12", "torus:16x16"}
	smallRings = []string{
		"random:switches=16,degree=4", "random:switches=24,degree=4", "random:switches=32,degree=4",
		"random:switches=48,degree=4", "random:switches=64,degree=4"}
)

// with returns sizes with a text added to each.
func with(sizes []string, more string) (list []string) {
	for _, s := range sizes {
		list = append(list, s+more)
	}
	return list
}

var all = []series{
	{command: "turnproof check SIZE -r dor -q", sizes: meshes, by: byChannels},
	{command: "turnproof check SIZE -r west-first -q", sizes: meshes, by: byStates},
	{command: "turnproof check SIZE -r duato -q", sizes: with(tori, ",vcs=3"), by: byStates},
	{command: "turnproof check SIZE -r duato --switching wormhole -q", sizes: with(tori, ",vcs=3"), by: byStates},
	{command: "turnproof check SIZE -r updown -q", sizes: fatTrees, by: byStates},
	{command: "turnproof check SIZE -r updown -q", sizes: irregular, by: byStates},
	{command: "turnproof check SIZE -r turn-addition -q", sizes: irregular, by: byStates},
	{command: "turnproof-check --quiet proof.cert",
		before: []string{"turnproof check SIZE -r updown -q --certificate proof.cert"}, sizes: fatTrees, by: byStates},
	{command: "turnproof report SIZE -r updown -o report.html -q", sizes: fatTrees, by: byStates},
	{command: "turnproof turns SIZE --method updown -q", sizes: irregular, by: byStates},
	{command: "turnproof turns SIZE --method lturn-alpha -q", sizes: irregular, by: byStates},
	{command: "turnproof turns SIZE --method tp -q", sizes: irregular, by: byStates},
	{command: "turnproof turns SIZE --method turn-addition -q", sizes: irregular, by: byStates},
	{command: "turnproof turns SIZE --method minimum -q", sizes: smallRings},
	{command: "turnproof turns SIZE --method minimum -q", sizes: smallTori},
	{command: "turnproof layers SIZE -q", sizes: smallTori},
	{command: "turnproof possible SIZE -q", sizes: smallTori},
	{command: "turnproof vlan SIZE -q", sizes: []string{"mesh:4x4", "mesh:6x6", "mesh:8x8", "mesh:10x10", "mesh:12x12", "mesh:16x16"}},
	{command: "turnproof table SIZE -r updown --kind input-hops --format csv -o table.csv -q", sizes: fatTrees, by: byStates},
	{command: "turnproof convert SIZE --to ibnetdiscover -o net -q", sizes: fatTrees, by: byChannels},
	{command: "turnproof draw network SIZE -o net.svg -q", sizes: tori, by: byChannels},
	{command: "turnproof draw cycle SIZE -r dor -o cycle.svg -q", sizes: tori, by: byChannels},
	{command: "turnproof enumerate mesh:SIZE -q", sizes: []string{"2", "3"}, counts: true},
	{command: "turnproof prove dor --family mesh:SIZE -q", sizes: []string{"2", "3", "4", "5", "6"}, counts: true},
	{command: "turnproof sim SIZE -r dor --load 0.1 --clocks 2000 -q", sizes: with(tori, ",vcs=2"), by: byChannels},
	{command: "turnproof sim mesh:8x8 -r dor --load 0.1 --clocks SIZE -q", sizes: []string{"10000", "100000", "1000000", "10000000"}, counts: true},
	{command: "turnproof sweep mesh:4x4 -r dor --loads 0.001:0.4:SIZE --clocks 1000 --csv points.csv -q",
		sizes:  []string{"0.01", "0.001", "0.0005", "0.0002"},
		counts: true},
}
