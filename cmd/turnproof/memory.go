package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file is --memory: how much a search may take.

func memoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "memory", Usage: "how much memory --mend may take, `SIZE` such as 512M or 4G", DefaultText: "half of the machine"}
}

// readMemory returns the bytes that --memory allows.
func readMemory(c *cli.Context) (int64, error) {
	text := c.String("memory")
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
	return 0, fmt.Errorf("--memory %q: want a size from 1M on, such as 512M or 4G", text)
}

// halfOfMachine returns half of the machine's memory, 4 GiB where the system does not tell it.
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

// withMemory runs f while the soft memory limit of the garbage collector is bytes.
func withMemory(bytes int64, f func()) {
	old := debug.SetMemoryLimit(bytes)
	defer debug.SetMemoryLimit(old)
	f()
}
