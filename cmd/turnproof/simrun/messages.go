package simrun

import (
	"fmt"
	"os"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads the flags for messages that cause other messages.

// MessageFlags returns the flags for messages.
func MessageFlags() []cli.Flag {
	whole := func(name string, value int, usage string) cli.Flag {
		return &cli.IntFlag{Name: name, Value: value, Usage: usage, Category: cli.CategoryMessages}
	}
	roles := " (default: all): names or numbers HOST[,HOST...], ranges FROM-TO of numbers, or file:NAME for the words of a file"
	return []cli.Flag{
		&cli.Text{StringFlag: cli.StringFlag{Name: "classes", Category: cli.CategoryMessages,
			Usage: "send messages of `CLASSES`, such as request,reply: each message causes one of the next class; a class has a virtual network of its " +
				"own, classes joined by + share one; or a file .yaml or .json with a protocol"}},
		whole("service", 0, "serve a request for `CLOCKS` before its reply is created"),
		whole("reply-queue", trial.DefaultEntries, "give a host `ENTRIES` for the messages of each class that it has to send as replies; 0: no limit"),
		whole("reply-packet", 0, "set the length of replies in `FLITS` (default: as --packet)"),
		whole("outstanding", 0, "let a host have at most `REQUESTS` that are not answered (default: no limit)"),
		&cli.Text{StringFlag: cli.StringFlag{Name: "initiators", Usage: "let these `HOSTS` send requests" + roles, Category: cli.CategoryMessages}},
		&cli.Text{StringFlag: cli.StringFlag{Name: "targets", Usage: "send requests to these `HOSTS`" + roles, Category: cli.CategoryMessages}},
	}
}

// MessagesOf returns the settings of the flags for messages, or the zero value without --classes.
func MessagesOf(c *cli.Context) (m trial.MessageWords, err error) {
	if c.String("classes") == "" {
		for _, flag := range []string{"service", "reply-queue", "reply-packet", "outstanding", "initiators", "targets"} {
			if c.IsSet(flag) {
				return m, fmt.Errorf("--%s needs --classes", flag)
			}
		}
		return m, nil
	}
	if input.HasCauses(c.String("classes")) {
		return protocolWords(c)
	}
	parsed, err := model.ParseClasses(c.String("classes"))
	if err != nil {
		return m, fmt.Errorf("--classes: %w", err)
	}
	if strings.HasPrefix(c.String("traffic"), "trace:") {
		for _, flag := range []string{"initiators", "targets"} {
			if c.IsSet(flag) && (flag == "initiators" || len(parsed.Names) == 2) { // targets of forwarded messages are drawn
				return m, fmt.Errorf("--%s needs a pattern, not with a trace", flag)
			}
		}
	}
	for _, x := range []struct {
		flag  string
		least int
	}{{"service", 0}, {"reply-queue", 0}, {"reply-packet", 1}, {"outstanding", 1}} {
		if v := c.Int(x.flag); c.IsSet(x.flag) && (v < x.least || v > 1<<20) {
			return m, fmt.Errorf("--%s %d: want a number from %d to %d", x.flag, v, x.least, 1<<20)
		}
	}
	for _, flag := range []string{"initiators", "targets"} {
		if file, ok := strings.CutPrefix(c.String(flag), "file:"); ok {
			cli.Reads(c, file)
		}
	}
	return trial.MessageWords{Classes: c.String("classes"), Service: c.Int("service"), Entries: c.Int("reply-queue"), Reply: c.Int("reply-packet"),
		Outstanding: c.Int("outstanding"), Initiators: c.String("initiators"), Targets: c.String("targets")}, nil
}

// FitMessages sets messages in s and returns the routing in virtual networks. Without messages it
// returns the routing of in.
func FitMessages(w trial.MessageWords, in *resolve.Subject, s *trial.Settings) (model.Relation, error) {
	if w == (trial.MessageWords{}) {
		return in.Rel, nil
	}
	if input.HasCauses(w.Classes) {
		return fitProtocol(w, in, s)
	}
	m, err := model.ParseClasses(w.Classes)
	if err != nil {
		return nil, fmt.Errorf("--classes: %w", err)
	}
	rules := &engine.Messages{Service: engine.Clock(w.Service), Entries: w.Entries, Outstanding: w.Outstanding}
	s.Messages = &trial.Messages{Names: m.Names}
	reply := w.Reply
	if reply == 0 {
		reply = s.Flits
	}
	for class := range m.Names {
		rules.Causes, rules.Flits, rules.Queue = append(rules.Causes, class+1), append(rules.Flits, reply), append(rules.Queue, m.Network[class])
	}
	rules.Causes[len(m.Names)-1] = -1
	if s.Messages.Initiators, err = hostsOf(in, "initiators", w.Initiators); err != nil {
		return nil, err
	}
	if s.Messages.Targets, err = hostsOf(in, "targets", w.Targets); err != nil {
		return nil, err
	}
	if s.Messages.Initiators != nil || s.Messages.Targets != nil {
		s.NoSelf = true // as check supposes, a message of a host to itself needs no room
	}
	dests, err := traffic.Destinations(in.Rel)
	if err != nil {
		return nil, err
	}
	if rules.Targets = dests; s.Messages.Targets != nil {
		rules.Targets = nil
		for _, h := range s.Messages.Targets {
			rules.Targets = append(rules.Targets, dests[h])
		}
	}
	s.Engine.Messages = rules
	return model.Replicate(in.Rel, m)
}

// MessageRouting sets messages in s and returns the routing in virtual networks, as FitMessages does. It fails if the
// configuration of the network has classes of messages and a flag contradicts them.
func MessageRouting(w trial.MessageWords, in *resolve.Subject, s *trial.Settings) (model.Relation, error) {
	if s.Messages == nil {
		return FitMessages(w, in, s)
	}
	if w.Classes != "" {
		return nil, fmt.Errorf("%s already has classes of messages by use_read_write; remove --classes", in.Name)
	}
	if _, ok := in.Rel.(*model.VirtualNetworks); !ok {
		return nil, fmt.Errorf("%s has classes of messages by use_read_write, which need its own routing; remove --routing", in.Name)
	}
	return in.Rel, nil
}

// StateMessages states the messages of --classes as a premise. It warns if classes share a virtual network.
func StateMessages(c *cli.Context, w trial.MessageWords, in *resolve.Subject) {
	if w.Classes == "" {
		return
	}
	if input.HasCauses(w.Classes) {
		in.Premises = model.MergePremises([]model.Premise{{Name: model.PremiseMessages, Value: "a protocol", Source: w.Classes}}, in.Premises)
		return
	}
	m, _ := model.ParseClasses(w.Classes)
	queues := fmt.Sprintf("%d entries of each host for replies", w.Entries)
	if w.Entries == 0 {
		queues = "reply queues without limit, so hosts consume all messages"
	}
	in.Premises = model.MergePremises([]model.Premise{{Name: model.PremiseMessages, Value: "classes " + strings.Join(m.Names, ", ") + "; " + queues,
		Source: "--classes, --reply-queue"}}, in.Premises)
	said := &resolve.Subject{}
	switch shared := m.Shared(); {
	case shared != "" && w.Entries > 0:
		said.Warnings = append(said.Warnings, fmt.Sprintf("%s share a virtual network and hosts have finite reply queues, so this run may freeze: "+
			"check --classes refutes it; separate the classes by a comma", shared))
	case shared != "":
		said.Notes = append(said.Notes, fmt.Sprintf("%s share a virtual network, but hosts consume all messages in this run; check --classes refutes the "+
			"network because it assumes limited queues, as with --reply-queue 1", shared))
	}
	input.PrintNotes(c, said)
	input.PrintWarnings(c, said)
	in.Notes, in.Warnings = append(in.Notes, said.Notes...), append(in.Warnings, said.Warnings...)
}

// hostsOf returns the hosts that a list names, or nil for an empty list.
func hostsOf(in *resolve.Subject, flag, text string) (list []model.HostID, err error) {
	if text == "" {
		return nil, nil
	}
	x, items := names.New(in.Net), text
	if file, ok := strings.CutPrefix(text, "file:"); ok {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		in.SumFile(file)
		words := names.Fields(string(content))
		for i := range words {
			words[i] = names.Quote(words[i], ",")
		}
		items = strings.Join(words, ",")
	}
	if items == "" {
		return nil, fmt.Errorf("--%s %s: no host", flag, text)
	}
	if list, err = x.HostList(items); err != nil {
		return nil, fmt.Errorf("--%s %s: %w", flag, text, err)
	}
	return list, nil
}
