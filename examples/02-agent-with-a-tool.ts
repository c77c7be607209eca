// An agent with one tool: it notes a line in a file of the session's folder, if the user allows it.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveAgent } from '@turnwire/agent/node';
import type { Turn } from '@turnwire/agent';

serveAgent({
  info: { name: 'note-taker', version: '1.0.0' },
  openSession: ({ cwd }) => ({ file: join(cwd, 'notes.txt') }),
  prompt: async (turn) => {
    const noted = await note(turn, turn.text);
    await turn.say(noted ? 'Noted.' : 'Then I will not write it down.');
  },
});

// #region tool
async function note(turn: Turn<{ file: string }>, line: string): Promise<boolean> {
  const { file } = turn.session.memory;
  const tool = turn.tool({ title: `Note: ${line}`, kind: 'edit', locations: [{ path: file }] });
  const { outcome } = await turn.askPermission(tool);
  if (outcome !== 'allowed') {
    await tool.fail('Not allowed.');
    return false;
  }
  await tool.start();
  await appendFile(file, `${line}\n`);
  await tool.complete('Written.');
  return true;
}
// #endregion
