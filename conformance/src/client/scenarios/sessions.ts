import { at, type JournalEntry, objectsIn, quoted, type RawMessage } from '../../wire/messages.ts';
import { fullAgent } from '../agent/agent-offer.ts';
import { type ClientScripts, type ClientStage, didNot } from '../client-stage.ts';
import { survived, survives, wordsAfter } from './endings.ts';
import { fixtures } from './fixtures.ts';

const oddCursor = 'p2/=?&%20+"ü🌍\\u0000 {"page":2}';

/** How the bytes of pictures begin, in hexadecimal. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '47494638',
  'image/webp': '52494646',
};

/** Sessions, and what is said in them both ways, where it takes more than a sequence. */
export const sessionsScenarios: ClientScripts = {
  'sessions/list-pages': async (stage) => {
    const listed = (sessionId: string): unknown => ({ sessionId, cwd: stage.folder, title: `Session ${sessionId}` });
    stage.play((agent) => {
      agent.offer(fullAgent);
      agent.handle('session/list', ({ cursor }) =>
        cursor === undefined || cursor === null
          ? { sessions: [listed('one')], nextCursor: oddCursor }
          : { sessions: [listed('two')] },
      );
    });
    const { agent, end } = await stage.perform('list');
    const [first, second, ...more] = agent.calls('session/list');
    if (first === undefined) throw didNot('asked for no list', end);
    stage.see.check('R119', more.length > 0 && 'the list was asked for after its end', more);
    // One page is enough for a client that shows pages one by one.
    if (second === undefined) return stage.see.unseen('R120', 'the client asked for one page only');
    const { cursor } = second.params;
    const fault = `the cursor ${quoted(oddCursor)} came back as ${quoted(cursor)}`;
    stage.see.check('R120', cursor !== oddCursor && fault, second);
  },
  'prompt/stop-reasons': async (stage) => {
    for (const stopReason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled']) {
      const done = await stage.turn((turn) => {
        turn.say(wordsAfter);
        return { stopReason };
      });
      // Whether that is a success is for the client to say.
      survives(stage, done);
    }
  },
  'prompt/image': async (stage) => {
    const { data, mimeType, entry } = await blockOf(stage, 'image', 'image');
    const beginning = beginnings[String(mimeType)] ?? '';
    const isIt = Buffer.from(String(data), 'base64').toString('hex').startsWith(beginning);
    stage.see.check('R234', !isIt && `the data is not of the type ${String(mimeType)}`, entry);
  },
  'prompt/resource': async (stage) => {
    const { resource, entry } = await blockOf(stage, 'resource', 'mention');
    const uri = at(resource, 'uri');
    stage.see.check('R235', !URL.canParse(String(uri)) && `${quoted(uri)} is not a URI`, entry);
  },
  'updates/before-the-answer': async (stage) => {
    const pieces = Array.from({ length: 200 }, (_, place) => `<${String(place)}>`);
    const done = await stage.turn((turn) => {
      // A client whose answers overtake updates may show those that come a moment before the answer.
      turn.agent.together(() => {
        for (const piece of pieces) turn.say(piece);
        turn.answer({ result: { stopReason: 'end_turn' } });
      });
      return null;
    });
    if (!survived(stage, done)) return;
    const shown = done.end.stdout.match(/<\d+>/g) ?? [];
    if (shown.length === 0) return stage.see.unseen('R369', 'the client does not print what its agent says');
    const isWhole = shown.filter((piece, place) => piece !== shown[place - 1]).join('') === pieces.join('');
    const count = new Set(shown).size;
    const how = count === pieces.length ? ', in another order' : '';
    const fault = `of ${String(pieces.length)} updates before the answer ${String(count)} were shown${how}`;
    stage.see.check('R369', !isWhole && fault, done.agent.journal.slice(-2));
  },
};

/** A block of a type, for an agent that takes it. Stops the scenario if the client sends none. */
async function blockOf(
  stage: ClientStage,
  type: string,
  action: 'image' | 'mention',
): Promise<RawMessage & { readonly entry: JournalEntry }> {
  stage.play((agent) => agent.offer({ capabilities: { promptCapabilities: { image: true, embeddedContext: true } } }));
  const { agent, end } = await stage.perform(action, await fixtures[action]?.(stage, {}));
  for (const { entry, params } of agent.calls('session/prompt')) {
    const found = objectsIn(params['prompt']).find((block) => block['type'] === type);
    if (found !== undefined) return { ...found, entry };
  }
  throw didNot(`sent no block of type ${type}`, end);
}
