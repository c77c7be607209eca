import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHarmlessSed } from '../src/sed-script.ts';
import { shellLine } from '../src/shell-line.ts';
import { quoted } from '../src/shell-word.ts';
import { within } from '../../../tools/pace.ts';
import { randomRuns } from '../../../tools/random-runs.ts';

/** GNU sed refuses scripts that run, read or write in its sandbox; BSD sed has no sandbox. */
const hasSandbox = spawnSync('sed', ['--sandbox', '-n', 'p'], { input: '' }).status === 0;

const pieces =
  String.raw`s/a/b/ s,a,b, s/[/]/x/ s|a|b| s/\//x/ y/a/b/ /a/ \,a, \aba 1 $ 1,3 2~3 , ! { } ; e w r R W p d = n q l I M g m e${'\u0020'}x w${'\u0020'}x \ [ ] / # :a b a\ i\ F z`
    .split(' ')
    .concat(['\n', ' ', 'w x', 'e id']);

const script = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 }).map((each) => each.join(''));

function isConsideredHarmless(text: string): boolean {
  const [command] = shellLine(`sed -n ${quoted(text)} a`, 'bash').commands;
  return command !== undefined && isHarmlessSed(command.words);
}

/**
 * The scripts that sed refuses in its sandbox. One shell starts sed for all of them, since Node starts processes more slowly; many short
 * random scripts are equal.
 */
function refused(scripts: readonly string[]): readonly string[] {
  const each = `for script; do
    case $(sed --sandbox -n "$script" </dev/null 2>&1) in *sandbox*) printf '%s\\0' "$script" ;; esac
  done`;
  const words = ['-c', each, 'sh', ...new Set(scripts)];
  // Messages in other languages take as long as the rest of sed.
  const { stdout } = spawnSync('/bin/sh', words, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  return stdout.split('\0').slice(0, -1);
}

test.runIf(hasSandbox)(
  'every script that is considered harmless also runs in the sandbox of sed',
  () => {
    const scripts = fc.sample(script.filter(isConsideredHarmless), randomRuns({ usual: 300, whole: 5_000 }));
    expect(refused(['e id', 'p', ...scripts])).toEqual(['e id']);
  },
  within(240_000),
);
