// An agent that streams. `flood RATE SECONDS` sends RATE texts a second, in paragraphs, and finally the time of the last one; `fill COUNT`
// sends COUNT tool calls.
import { serveAgent } from '@turnwire/agent/node';

const tick = 10;
const wordsInParagraph = 60;

async function flood(turn, rate, seconds) {
  const begin = performance.now();
  const all = rate * seconds;
  for (let said = 0; said < all;) {
    const due = Math.min(all, Math.floor(((performance.now() - begin) * rate) / 1_000));
    for (; said < due; said++) await turn.say(said % wordsInParagraph === 0 ? `\n\nw${said} ` : `w${said} `);
    await new Promise((resolve) => setTimeout(resolve, tick));
  }
  await turn.tool({ title: `end ${Date.now()}` }).complete();
}

async function fill(turn, count) {
  for (let place = 0; place < count; place++)
    await turn.update({
      sessionUpdate: 'tool_call',
      toolCallId: `t${place}`,
      title: `call ${place}`,
      kind: 'read',
      status: 'completed',
    });
}

serveAgent({
  info: { name: 'streaming', version: '1.0.0' },
  prompt: async (turn) => {
    const [what, ...numbers] = turn.text.split(' ');
    const [first = 0, second = 0] = numbers.map(Number);
    if (what === 'flood') await flood(turn, first, second);
    else await fill(turn, first);
  },
});
