/** The scripts that make a shell ask this program for completions. */
import { UsageError } from '../../terminal/errors.js';
import { getOwn } from '../../../src/lib/getOwn.js';

/** The shell sends the words up to the cursor; the answer is one value and its description per line. */
const BASH = `_leadwire() {
  local value about
  local -a values=() shown=()
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    [[ -n $value ]] || continue
    values+=("$value")
    shown+=("$value\${about:+  ($about)}")
  done < <(leadwire __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Of several the descriptions are shown; the word grows by what they have in common.
  if (( \${#values[@]} == 1 )); then COMPREPLY=("\${values[0]}"); else COMPREPLY=("\${shown[@]}"); fi
}
complete -o bashdefault -o default -o nosort -F _leadwire leadwire`;

const ZSH = `#compdef leadwire
_leadwire() {
  local -a found
  local line value about
  while IFS=$'\\t' read -r value about; do
    [[ -n $value ]] && found+=("\${value//:/\\\\:}:$about")
  done < <(leadwire __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -V leadwire found
  else
    _files
  fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then
  _leadwire "$@"
else
  compdef _leadwire leadwire
fi`;

const FISH = `function __leadwire_complete
  set -l words (commandline -opc) (commandline -ct)
  leadwire __complete -- $words[2..-1] 2>/dev/null
end
complete -c leadwire -f -a '(__leadwire_complete)'`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** @throws {UsageError} for a shell without a script */
export function completionScript(shell: string): string {
  const script = getOwn(SCRIPTS, shell);
  if (script !== undefined) return script;
  throw new UsageError(
    `There is completion for ${Object.keys(SCRIPTS).join(', ')}, not for ${shell}.`,
  );
}
