package cli

import (
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

// completionScripts are the scripts by shell. They call the program for completions, see
// complete.go.
var completionScripts = map[string]string{
	// Readline splits words at : and =. It expects only the part after the last of them.
	"bash": `_turnproof() {
  local line=${COMP_LINE:0:COMP_POINT} words reply cur cut i files=
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  cur=${words[-1]}
  mapfile -t reply < <("${words[0]}" __complete -- "${words[@]:1}" 2>/dev/null)
  cut=${cur%"${cur##*[:=]}"}
  COMPREPLY=()
  for i in "${reply[@]}"; do
    if [[ $i == :files ]]; then files=1; else i=${i%%$'\t'*}; COMPREPLY+=("${i#"$cut"}"); fi
  done
  if [[ $files ]]; then
    compopt -o filenames
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "${cur##*[:=]}")
  fi
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace
  return 0
}
complete -F _turnproof turnproof
`,
	"zsh": `#compdef turnproof
_turnproof() {
  local -a reply names abouts
  local line files=
  reply=("${(@f)$(${words[1]} __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $reply; do
    if [[ $line == :files ]]; then files=1; else names+=("${line%%$'\t'*}"); abouts+=("${line/$'\t'/ -- }"); fi
  done
  (( $#names )) && compadd -l -d abouts -a names
  if [[ -n $files ]]; then
    [[ $PREFIX == --*=* ]] && compset -P '*='
    _files
  fi
}
if [[ $funcstack[1] == _turnproof ]]; then _turnproof "$@"; else compdef _turnproof turnproof; fi
`,
	"fish": `function __turnproof_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in (command $words[1] __complete -- $words[2..-1] "$word" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace -r '^--[a-z0-9-]+=' '' -- "$word")
        else
            echo $line
        end
    end
end
complete -c turnproof -f -a '(__turnproof_complete)'
`,
}

// shells are the shells that have a completion script.
var shells = []string{"bash", "zsh", "fish"}

func completionCommand() *urfave.Command {
	return &urfave.Command{
		Name:         "completion",
		Usage:        "print a script that completes commands and flags in bash, zsh or fish",
		ArgsUsage:    "bash|zsh|fish",
		BashComplete: Complete(Argument{Words: shells}),
		Description: "The script completes commands, flags, values of flags, and files. The script asks\n" +
			"the program each time.\n\n" +
			"Examples:\n" +
			"  source <(turnproof completion bash)\n" +
			"  turnproof completion zsh > ~/.zfunc/_turnproof\n" +
			"  turnproof completion fish > ~/.config/fish/completions/turnproof.fish",
		Action: func(c *urfave.Context) error {
			shell, err := OneArgument(c, "SHELL")
			if err != nil {
				return err
			}
			script, ok := completionScripts[shell]
			if !ok {
				return fmt.Errorf("no completion for %q%s, known are %s", shell, spelling.Suggest(shell, shells), strings.Join(shells, ", "))
			}
			_, err = fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
