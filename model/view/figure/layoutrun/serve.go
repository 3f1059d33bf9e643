// Package layoutrun lays out graphs with Graphviz in another process.
//
// The program turnproof-layout runs Graphviz. It starts at the first layout and serves all
// layouts of its parent. Requests and replies are JSON values on its standard input and
// output. It ends when its input ends.
//
// Read first: process.go is the caller, serve.go the program cmd/turnproof-layout.
package layoutrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// request asks for a layout of DOT text by a program of Graphviz, such as neato.
type request struct{ Program, DOT string }

// reply has the layout in Graphviz's plain format, or the reason why there is none.
type reply struct{ Plain, Error string }

// Serve answers requests with layout until the input ends.
func Serve(in io.Reader, out io.Writer, layout func(dot, program string) ([]byte, error)) error {
	requests, replies := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q request
		if err := requests.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("cannot read a request: %w", err)
		}
		var r reply
		plain, err := layout(q.DOT, q.Program)
		if err != nil {
			r.Error = err.Error()
		}
		r.Plain = string(plain)
		if err := replies.Encode(r); err != nil {
			return fmt.Errorf("cannot write a reply: %w", err)
		}
	}
}
