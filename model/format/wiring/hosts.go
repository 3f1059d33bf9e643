package wiring

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
)

// This file decides which nodes of a DOT graph, a GraphML graph or an edge list are hosts. The
// first rule that applies decides:
//
// 1. Options.Hosts (--hosts). GLOB[,GLOB...]: the nodes whose id or name matches are
//     hosts, the others are switches. at:GLOB[,GLOB...]: all nodes are switches, and each
//     node that matches has one host; at: may be repeated before each glob. In a glob, * is any text and ? is one character.
// 2. The file declares hosts (kind=host, "host NAME SWITCH"), or states that it has none. 3. Nodes
// with one cable and a name like a server (serverWords) are hosts, if all nodes
//     with this word have one cable, to a switch.
// 4. Each switch has one host.
//
// Rules 3 and 4 are assumptions: a note and a premise report them.

// serverWords are words with which names of hosts begin, followed by a number or a punctuation
// mark.
var serverWords = wordSet("host h server srv compute comp node cn nic hca ca gpu cpu pc client worker vm storage")

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// leadingWord returns the letters at the start of a name, in lower case.
func leadingWord(name string) string {
	name = strings.ToLower(name)
	return name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))]
}

// chooseHosts applies the rules.
func (w *Draft) chooseHosts() error {
	stated := w.NoHosts || w.HasHost != nil
	for i := range w.Nodes {
		stated = stated || w.Nodes[i].IsHost
	}
	switch {
	case w.Options.Hosts != "" && stated:
		return w.File.FileError("the file already says which nodes are hosts; remove --hosts %s", w.Options.Hosts)
	case w.Options.Hosts != "":
		return w.hostsByPattern()
	case stated:
		return nil
	}
	var servers []int32
	if !w.Plain {
		servers = w.servers()
	}
	for _, i := range servers {
		w.Nodes[i].IsHost = true
	}
	text := fmt.Sprintf("one at each of %d switches", len(w.Nodes))
	if !w.Plain {
		text += ", since no node is called a host"
	}
	if servers != nil {
		text = fmt.Sprintf("%d nodes with one cable and a name like %s", len(servers), w.Called(servers[0]))
	}
	w.Notes = append(w.Notes, fmt.Sprintf("%s: hosts: %s; --hosts PATTERN chooses others", textfile.Base(w.File.Name), text))
	w.premise(text, model.Assumed)
	return nil
}

func (w *Draft) premise(value, source string) {
	if w.Options.Premise != nil {
		w.Options.Premise(model.Premise{Name: model.PremiseHosts, Value: value, Source: source})
	}
}

// hostsByPattern applies Options.Hosts.
func (w *Draft) hostsByPattern() error {
	list, at := strings.CutPrefix(w.Options.Hosts, "at:")
	matches := make([]bool, len(w.Nodes))
	longest := 0
	for i := range w.Nodes {
		longest = max(longest, len(w.Nodes[i].ID), len(w.Nodes[i].Name))
	}
	pattern := func(word string) string {
		if rest, again := strings.CutPrefix(word, "at:"); again && at && w.matchingNodes(word) == nil {
			return rest // at:A,at:B
		}
		return word
	}
	words, err := names.Split(list, names.List, longest, func(word string) error { return w.known(pattern(word)) })
	if err != nil {
		return err
	}
	for _, word := range words {
		for _, i := range w.matchingNodes(pattern(word.Text)) {
			matches[i] = true
		}
	}
	k := 0
	for i, m := range matches {
		if m {
			k++
			w.Nodes[i].IsHost = !at
		}
	}
	if at {
		w.HasHost = matches
		w.premise(fmt.Sprintf("one at each of %d switches that match %s", k, list), "--hosts")
		return nil
	}
	w.premise(fmt.Sprintf("%d nodes that match %s", k, list), "--hosts")
	return nil
}

// known returns an error if no node matches a glob.
func (w *Draft) known(glob string) error {
	if _, err := names.Glob(glob); err != nil {
		return w.File.FileError("--hosts %s: %s", glob, err)
	}
	if w.matchingNodes(glob) == nil {
		return w.File.FileError("no node matches --hosts %s; the nodes are %s", glob, w.some())
	}
	return nil
}

// matchingNodes returns the nodes whose id or name matches a glob.
func (w *Draft) matchingNodes(glob string) (list []int) {
	pattern, err := names.Glob(glob)
	if err != nil {
		return nil
	}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		if pattern.MatchString(n.ID) || n.Named && pattern.MatchString(n.Name) {
			list = append(list, i)
		}
	}
	return list
}

// some names the first nodes, for messages.
func (w *Draft) some() string {
	var list textfile.NameList
	for i := range w.Nodes {
		list.Add("%s", textfile.Clip(w.Called(int32(i))))
	}
	return list.String()
}

// servers returns the nodes that are hosts by rule 3.
func (w *Draft) servers() (list []int32) {
	cables, peer := make([]int, len(w.Nodes)), make([]int32, len(w.Nodes))
	for _, c := range w.Cables {
		cables[c.A]++
		cables[c.B]++
		peer[c.A], peer[c.B] = c.B, c.A
	}
	word := make([]string, len(w.Nodes))
	switchWord := map[string]bool{} // leading words of nodes that cannot be hosts
	for i := range w.Nodes {
		word[i] = leadingWord(w.Called(int32(i)))
		if cables[i] != 1 || cables[peer[i]] == 1 {
			switchWord[word[i]] = true
		}
	}
	for i := range w.Nodes {
		if serverWords[word[i]] && !switchWord[word[i]] {
			list = append(list, int32(i))
		}
	}
	return list
}
