package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is a flag with an amount of memory, such as 512M. Defaults to half of the memory of the
// machine.
type Memory struct{ StringFlag }

// RunAction returns an error if the value is not an amount of memory.
func (f *Memory) RunAction(c *Context) error {
	if _, err := ReadMemory(c, f.Name); err != nil {
		return err
	}
	return f.StringFlag.RunAction(c)
}

// ReadMemory returns the value of a Memory flag in bytes.
func ReadMemory(c *Context, name string) (int64, error) {
	text := c.String(name)
	if text == "" {
		return halfOfMachine(), nil
	}
	number, factor := text, 1.0
	for i, unit := range []string{"K", "M", "G", "T"} {
		if rest, ok := strings.CutSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), unit); ok {
			number, factor = rest, float64(int64(1)<<(10*(i+1)))
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if bytes := x * factor; err == nil && bytes >= 1<<20 && bytes < 1<<50 {
		return int64(bytes), nil
	}
	return 0, fmt.Errorf("--%s %q: want a size of at least 1M, such as 512M or 4G", name, text)
}

// halfOfMachine returns half of the memory of the machine in bytes, or 4 GiB if it is unknown.
func halfOfMachine() int64 {
	const unknown = 4 << 30
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "MemTotal:" {
			if kib, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return kib << 10 / 2
			}
		}
	}
	return unknown
}
