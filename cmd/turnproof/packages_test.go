package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// This file installs turnproof: from the sources, from the deb and from the rpm package, each below a folder of its own.

// installedFiles are files of an installation below its prefix.
var installedFiles = []string{"bin/turnproof", "bin/turnproof-check", "bin/turnproof-layout", "share/turnproof/collect.sh", "share/turnproof/collect-ethernet.sh",
	"share/doc/turnproof/LICENSE", "share/bash-completion/completions/turnproof", "share/zsh/site-functions/_turnproof",
	"share/fish/vendor_completions.d/turnproof.fish", "share/man/man1/turnproof.1", "share/man/man1/turnproof-whatif.1",
	"share/man/man1/turnproof-check.1"}

// filesBelow lists the files below a folder that belong to turnproof.
func filesBelow(t *testing.T, root string) (list []string) {
	t.Helper()
	if _, err := os.Stat(root); err != nil {
		return nil // removed, too
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(path[len(root):], "turnproof") {
			list = append(list, path[len(root):])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// command runs a program and returns what it prints.
func command(t *testing.T, env []string, words ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", words, err, out)
	}
	return string(out)
}

// checkInstalled runs what is installed below a prefix. Manual pages may be packed.
func checkInstalled(t *testing.T, prefix string) {
	t.Helper()
	for _, name := range installedFiles {
		info, err := os.Stat(filepath.Join(prefix, name))
		if packed, perr := os.Stat(filepath.Join(prefix, name+".gz")); err != nil && perr == nil {
			info, err = packed, nil
		}
		if err != nil || info.Size() == 0 || strings.HasPrefix(name, "bin/") && info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v", name, err)
		}
	}
	bin := filepath.Join(prefix, "bin")
	dir := t.TempDir()
	certificate, figure := filepath.Join(dir, "proof.cert"), filepath.Join(dir, "graph.svg")
	out := command(t, nil, filepath.Join(bin, "turnproof"), "check", "random:switches=8,degree=3,seed=1", "-r", "updown", "--certificate", certificate,
		"--figure", figure) // the figure needs turnproof-layout
	if !strings.Contains(out, "PROVED. The independent checker accepted") {
		t.Error(out)
	}
	if out := command(t, nil, filepath.Join(bin, "turnproof-check"), certificate); !strings.Contains(out, "proved") {
		t.Error(out)
	}
	if svg, err := os.ReadFile(figure); err != nil || !bytes.Contains(svg, []byte("<svg")) {
		t.Error("no figure", err)
	}
	page := filepath.Join(prefix, "share/man/man1/turnproof-check.1")
	if _, err := os.Stat(page); err != nil {
		page += ".gz"
	}
	if out := command(t, []string{"PAGER=cat", "MANWIDTH=80", "LC_ALL=C.UTF-8"}, "man", "-l", page); !strings.Contains(out, "Exit status: 0 accepted") {
		t.Error(out)
	}
}

// TestInstall installs, and removes again.
func TestInstall(t *testing.T) {
	longOnly(t, "the manual pages and completions are tested as text")
	modeltest.Tool(t, "man")
	bin, root, dist := t.TempDir(), t.TempDir(), t.TempDir()
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin+string(filepath.Separator), "./", "../turnproof-check", "../turnproof-layout")

	command(t, nil, "sh", "-c", `tmp=$1 version=development run=; . ../../.build/release-run.sh; try "$2" ''`, "sh", t.TempDir(), bin) // as a release does

	env := []string{"DESTDIR=" + root, "PREFIX=/opt/turnproof"}
	command(t, env, "sh", "../../.build/install.sh", bin)
	checkInstalled(t, filepath.Join(root, "opt/turnproof"))
	command(t, env, "sh", "../../.build/install.sh", "--remove")
	if left := filesBelow(t, filepath.Join(root, "opt/turnproof")); left != nil {
		t.Errorf("left behind: %v", left)
	}

	for _, tool := range []string{"dpkg-deb", "rpmbuild"} {
		modeltest.Tool(t, tool)
	}
	files := strings.Fields(command(t, []string{"BIN=" + bin}, "sh", "../../.build/packages.sh", dist))
	if len(files) != 2 || !regexp.MustCompile(`/turnproof_[0-9][^_/]*_[a-z0-9]+\.deb$`).MatchString(files[0]) ||
		!regexp.MustCompile(`/turnproof-[0-9][^-/]*-1\.[a-z0-9_]+\.rpm$`).MatchString(files[1]) {
		t.Fatalf("%q", files)
	}
	t.Run("deb", func(t *testing.T) { installDeb(t, files[0]) })
	t.Run("rpm", func(t *testing.T) { installRPM(t, files[1]) })
}

// installDeb installs the package below a folder by dpkg, and removes it.
func installDeb(t *testing.T, file string) {
	root := t.TempDir()
	for _, dir := range []string{"info", "updates"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dpkg := []string{"dpkg", "--force-not-root", "--force-bad-path", "--log=/dev/null", "--root=" + root}
	command(t, nil, append(dpkg, "--install", file)...)
	checkInstalled(t, filepath.Join(root, "usr"))
	if out := command(t, nil, append(dpkg, "--status", "turnproof")...); !strings.Contains(out, "Status: install ok installed") {
		t.Error(out)
	}
	command(t, nil, append(dpkg, "--remove", "turnproof")...)
	if left := filesBelow(t, filepath.Join(root, "usr")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// installRPM installs the package below a folder by rpm, and removes it.
func installRPM(t *testing.T, file string) {
	if os.Geteuid() != 0 {
		t.Skip("rpm --root needs root")
	}
	root := t.TempDir()
	rpm := []string{"rpm", "--root", root, "--dbpath", "/var/lib/rpm"}
	command(t, nil, append(rpm, "--install", file)...) // without --nodeps: the package needs no other
	checkInstalled(t, filepath.Join(root, "usr"))
	if out := command(t, nil, append(rpm, "--verify", "turnproof")...); out != "" {
		t.Errorf("files differ from the package: %s", out)
	}
	command(t, nil, append(rpm, "--erase", "turnproof")...)
	if left := filesBelow(t, filepath.Join(root, "usr")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestContainerfile: what the container file copies and runs exists.
func TestContainerfile(t *testing.T) {
	text, err := os.ReadFile("../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	target := regexp.MustCompile(`(?m)^RUN make (\w+) .*DESTDIR=(\S+) `).FindSubmatch(text)
	if target == nil || !bytes.Contains(makefile, append(target[1], ": build ## "...)) || !bytes.Contains(text, append([]byte("COPY --from=build "), target[2]...)) {
		t.Errorf("%q installs nothing", target)
	}
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	image, wanted := regexp.MustCompile(`golang:1\.(\d+)-`).FindSubmatch(text), regexp.MustCompile(`(?m)^go 1\.(\d+)`).FindSubmatch(module)
	if image == nil || wanted == nil || string(image[1]) < string(wanted[1]) {
		t.Errorf("the image has Go 1.%s, go.mod wants 1.%s", image[1], wanted[1])
	}
}
