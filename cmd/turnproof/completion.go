package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
)

// completionScripts ask the program itself what may come next.
var completionScripts = map[string]string{
	"bash": `_turnproof() {
  local cur=${COMP_WORDS[COMP_CWORD]} words
  if [[ $cur == -* ]]; then
    words=$("${COMP_WORDS[@]:0:2}" "$cur" --generate-bash-completion 2>/dev/null)
  elif [[ $COMP_CWORD -eq 1 ]]; then
    words=$("${COMP_WORDS[0]}" --generate-bash-completion 2>/dev/null)
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _turnproof turnproof
`,
	"zsh": `#compdef turnproof
_turnproof() {
  local cur=${words[CURRENT]} list
  if [[ $cur == -* ]]; then
    list=(${(f)"$(${words[1]} ${words[2]} $cur --generate-bash-completion 2>/dev/null)"})
    compadd -- ${list%%:*}
  elif (( CURRENT == 2 )); then
    list=(${(f)"$(${words[1]} --generate-bash-completion 2>/dev/null)"})
    compadd -- ${list%%:*}
  else
    _files
  fi
}
compdef _turnproof turnproof
`,
}

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes commands and flags in bash, zsh or fish",
		ArgsUsage: "bash|zsh|fish",
		Description: "Examples:\n" +
			"  source <(turnproof completion bash)\n" +
			"  turnproof completion zsh > ~/.zfunc/_turnproof\n" +
			"  turnproof completion fish > ~/.config/fish/completions/turnproof.fish",
		Action: func(c *cli.Context) error {
			shell, err := oneArgument(c, "SHELL")
			if err != nil {
				return err
			}
			script, ok := completionScripts[shell]
			if shell == "fish" {
				// Of an app that has not run: once it has, its help command
				// holds itself, which the library follows without end.
				if script, err = newApp(io.Discard, io.Discard).ToFishCompletion(); err != nil {
					return err
				}
			} else if !ok {
				return fmt.Errorf("no completion for %q, known are bash, zsh, fish", shell)
			}
			_, err = fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
