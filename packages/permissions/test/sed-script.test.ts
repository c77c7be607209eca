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

test.runIf(hasSandbox)(
  'every script that is considered harmless also runs in the sandbox of sed',
  () => {
    fc.assert(
      fc.property(script, (text) => {
        const [command] = shellLine(`sed -n ${quoted(text)} a`, 'bash').commands;
        fc.pre(command !== undefined && isHarmlessSed(command.words));
        const { stderr } = spawnSync('sed', ['--sandbox', '-n', text], { input: '', encoding: 'utf8' });
        expect(stderr).not.toContain('sandbox');
      }),
      { numRuns: randomRuns({ usual: 300, whole: 5_000 }), maxSkipsPerRun: 1_000 },
    );
    // Each run starts a program.
  },
  within(240_000),
);
