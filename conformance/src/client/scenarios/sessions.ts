import { at, type JournalEntry, objectsIn, quoted, type RawMessage } from '../../wire/messages.ts';
import { type ClientScripts, type ClientContext, didNot } from '../client-context.ts';
import { survived, survives, textAfter } from './endings.ts';
import { fixtures } from './fixtures.ts';

const oddCursor = 'p2/=?&%20+"ü🌍\\u0000 {"page":2}';

/** The first bytes of image files, in hexadecimal. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '47494638',
  'image/webp': '52494646',
};

/** Sessions and prompts, as far as it takes more than a sequence. */
export const sessionsScenarios: ClientScripts = {
  'sessions/list-pages': async (context) => {
    const listed = (sessionId: string): unknown => ({ sessionId, cwd: context.folder, title: `Session ${sessionId}` });
    context.play((agent) => {
      agent.offerEverything();
      agent.handle('session/list', ({ cursor }) =>
        cursor === undefined || cursor === null
          ? { sessions: [listed('one')], nextCursor: oddCursor }
          : { sessions: [listed('two')] },
      );
    });
    const { agent, end } = await context.perform('list');
    const [first, second, ...more] = agent.calls('session/list');
    if (first === undefined) throw didNot('did not send session/list', end);
    context.see.check('R119', more.length > 0 && 'another page was requested after the last one', more);
    // One page is enough for a client that pages on demand.
    if (second === undefined) return context.see.unseen('R120', 'the client requested only one page');
    const { cursor } = second.params;
    const fault = `the cursor ${quoted(oddCursor)} was returned as ${quoted(cursor)}`;
    context.see.check('R120', cursor !== oddCursor && fault, second);
  },
  'prompt/stop-reasons': async (context) => {
    for (const stopReason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled']) {
      const done = await context.turn((turn) => {
        turn.say(textAfter);
        return { stopReason };
      });
      // The client decides whether that counts as a success.
      survives(context, done);
    }
  },
  'prompt/image': async (context) => {
    const { data, mimeType, entry } = await blockOf(context, 'image', 'image');
    const beginning = beginnings[String(mimeType)] ?? '';
    const isRight = Buffer.from(String(data), 'base64').toString('hex').startsWith(beginning);
    context.see.check('R234', !isRight && `the data of the image is not ${String(mimeType)}`, entry);
  },
  'prompt/resource': async (context) => {
    const { resource, entry } = await blockOf(context, 'resource', 'mention');
    const uri = at(resource, 'uri');
    context.see.check('R235', !URL.canParse(String(uri)) && `${quoted(uri)} is not a URI`, entry);
  },
  'updates/before-the-answer': async (context) => {
    const pieces = Array.from({ length: 200 }, (_, nth) => `<${String(nth)}>`);
    const done = await context.turn((turn) => {
      // Sent in one write: a client whose answers overtake updates may still show updates that arrive a moment earlier.
      turn.agent.together(() => {
        for (const piece of pieces) turn.say(piece);
        turn.finish({ stopReason: 'end_turn' });
      });
      return null;
    });
    if (!survived(context, done)) return;
    const shown = done.end.stdout.match(/<\d+>/g) ?? [];
    if (shown.length === 0) return context.see.unseen('R369', 'the client does not print the messages of its agent');
    const isWhole = shown.filter((piece, nth) => piece !== shown[nth - 1]).join('') === pieces.join('');
    const count = new Set(shown).size;
    const how = count === pieces.length ? ', in another order' : '';
    const fault = `of ${String(pieces.length)} updates before the answer, ${String(count)} were shown${how}`;
    context.see.check('R369', !isWhole && fault, done.agent.journal.slice(-2));
  },
};

/** A content block of a type in a prompt, sent to an agent that accepts it. Stops the scenario if the client sends none. */
async function blockOf(
  context: ClientContext,
  type: string,
  action: 'image' | 'mention',
): Promise<RawMessage & { readonly entry: JournalEntry }> {
  context.play((agent) => agent.offerEverything());
  const { agent, end } = await context.perform(action, await fixtures[action]?.(context, {}));
  for (const { entry, params } of agent.calls('session/prompt')) {
    const found = objectsIn(params['prompt']).find((block) => block['type'] === type);
    if (found !== undefined) return { ...found, entry };
  }
  throw didNot(`did not send a content block of type ${type}`, end);
}
