import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandWords } from '../../../apps/cli/test/command.ts';

/** Programs that pages name as an example of any agent. */
const agents = ['my-agent', 'any-agent', 'other-agent', 'another-agent', 'claude-agent-acp', 'codex-acp', 'npx'];

/** A client with the options that the page about clients uses. */
const client = `
while [ $# -gt 0 ]; do
  case $1 in
    --agent) agent=$2; shift ;;
    --prompt) prompt=$2; shift ;;
    --resume) session=$2; shift ;;
    --yes) yes=1 ;;
  esac
  shift
done
[ -n "$prompt" ] || read -r prompt
exec turnwire --agent "$agent" \${yes:+--approve-all} \${session:+--resume "$session"} exec "$prompt"
`;

/** Writes `turnwire` and the programs that pages name into a folder. Resolves with the folder. */
export async function writePrograms(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  const turnwire = ['node', ...commandWords].map((word) => `'${word}'`).join(' ');
  const scripts = {
    ...Object.fromEntries(agents.map((name) => [name, `exec ${turnwire} coder`])),
    turnwire: `exec ${turnwire} "$@"`,
    'my-client': client,
    'xdg-open': 'exit 0',
    open: 'exit 0',
  };
  await Promise.all([
    symlink(process.execPath, join(folder, 'node')),
    ...Object.entries(scripts).map(([name, text]) =>
      writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 }),
    ),
    writeFile(join(folder, 'agent.js'), `process.argv.push('coder');\nrequire('${commandWords[0]}');\n`),
  ]);
  return folder;
}
