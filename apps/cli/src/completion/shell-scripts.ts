/** The supported shells. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One of {@link shells}. */
export type Shell = (typeof shells)[number];

/** The command that prints candidates. Only scripts use it, so no help page lists it. */
export const candidatesWord = 'completion-candidates';

/** The completion script of a shell. It asks the program for candidates every time, so it never becomes stale. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}

// The first line of an answer says whether the shell should offer files as well.
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_turnwire() {
  local IFS=$'\\n' answer
  answer=($(turnwire ${candidatesWord} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  COMPREPLY=("\${answer[@]:1}")
  if [[ \${answer[0]} == files ]]; then
    COMPREPLY+=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -F _turnwire turnwire
`,
  zsh: `#compdef turnwire
_turnwire() {
  local -a answer
  answer=("\${(@f)$(turnwire ${candidatesWord} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- "\${(@)answer[2,-1]}"
  [[ $answer[1] == files ]] && _files
}
compdef _turnwire turnwire
`,
  fish: `function __turnwire
  set -l words (commandline -opc) (commandline -ct)
  set -l answer (turnwire ${candidatesWord} -- $words[2..-1] 2>/dev/null)
  printf '%s\\n' $answer[2..-1]
  if test "$answer[1]" = files
    __fish_complete_path (commandline -ct)
  end
end
complete -c turnwire -f -a '(__turnwire)'
`,
};
