package enumerate

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/native"
	_ "github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/verify/cert"
)

// FileName returns a name for the files of the set, without an ending. number distinguishes sets
// that have no name.
func (r *SetReport) FileName(number int) string {
	if r.Name != "" && r.Class == 0 {
		return strings.ReplaceAll(r.Name, "+", "plus")
	}
	if r.Conflict {
		return fmt.Sprintf("conflict-%03d", number)
	}
	return fmt.Sprintf("set-%03d", number)
}

// Write writes the certificate and, if the set is refuted, the network and the turn set of the
// refutation. It calls write for each file. name is the name of the files without their endings.
func (r *SetReport) Write(write func(name string, content func(io.Writer) error) error, name string) error {
	if r.Evidence != nil {
		if err := write(name+".cert", func(w io.Writer) error { return cert.Write(w, r.Evidence) }); err != nil {
			return err
		}
	}
	if r.Witness == nil {
		return nil
	}
	if err := write(name+".network.json", func(w io.Writer) error { return format.WriteNetwork(w, r.Witness.Net, "json") }); err != nil {
		return err
	}
	info := native.TurnSetInfo{Method: "class turns " + strings.Join(r.Witness.Space.Names(r.Set), " ")}
	return write(name+".turns.json", func(w io.Writer) error { return native.WriteTurnSet(w, r.Witness.Allowed(r.Set), info) })
}
