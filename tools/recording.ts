// node --import tsx tools/recording.ts [FILE COLUMNS ROWS]: records docs/pictures/chat.svg, the chat in the README, with the command
// that was built last; or the same in another size. The built-in agent's offline model is deterministic, and the durations of the pictures
// are constants below: the same command gives the same file.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';
import { animatedSvg } from './animated-svg.ts';
import { TerminalRecording } from './terminal-recording.ts';

const [file = join(root, 'docs/pictures/chat.svg'), columns = '80', rows = '24'] = process.argv.slice(2);
const size = { columns: Number(columns), rows: Number(rows) };

// The pictures show this path, so it is constant.
const home = join(tmpdir(), 'turnwire');
mkdirSync(home);
const folder = join(home, 'shop');
mkdirSync(folder);
writeFileSync(join(folder, 'greet.js'), "// TODO: greet by name\nexport const greet = (name) => 'Hi';\n");
writeFileSync(join(folder, 'check.js'), "import { greet } from './greet.js';\nconsole.log(greet('Ada'));\n");
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');

try {
  using recording = new TerminalRecording([process.execPath, join(root, 'apps/cli/bin/turnwire.js')], {
    ...size,
    cwd: folder,
    env: {
      HOME: home,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      TURNWIRE_CODER_MODEL: 'offline',
    },
  });
  await recording.show('turnwire', 1_500);
  await prompt(recording, 'search for TODO');
  await recording.show('greet.js:1', 2_000);
  await prompt(recording, 'replace "\'Hi\'" with "`Hi, ${name}`" in greet.js');
  await recording.show('Allow', 3_000);
  recording.press('y');
  await recording.show('Edited greet.js', 2_000);
  await prompt(recording, 'run node check.js');
  await recording.show('Allow', 2_500);
  recording.press('y');
  await recording.show('Hi, Ada', 4_000);
  writeFileSync(file, animatedSvg(recording.frames, { ...size, title: 'A chat with the built-in agent' }));
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function prompt(recording: TerminalRecording, text: string): Promise<void> {
  await recording.type(text);
  recording.press('\r');
}
