// Package protocol reads descriptions of protocols: classes of messages, which class causes which,
// and the roles of hosts.
//
//	p, err := protocol.Parse("chi.yaml", text)
//	bound, err := p.Bind(network)
//
// A description has two forms. Parse reads YAML, ParseShort reads one line such as
// request,reply. Bind finds the hosts of each role in a network. Package model has the result.
//
// Read first: text.go, short.go, bind.go.
package protocol
