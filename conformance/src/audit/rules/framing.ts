import { asMessage, parsed } from '../../wire/messages.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, type RuleContext } from '../rule.ts';

/** How many invalid lines to join when looking for a message that was broken over several lines. */
const joinedLines = 50;

/** Every line is exactly one JSON-RPC message in UTF-8. */
export const framing: Rule = listener('both', ['R001', 'R005', 'R006', 'R009', 'R010'], (context) => {
  let broken: Frame[] = [];
  return {
    sent: (frame) => {
      const { entry } = frame;
      if (entry.flaw === 'cut off' || entry.flaw === 'oversize') return;
      judgeBytes(frame, context);
      if (entry.message !== undefined) {
        broken = [];
        return judgeValue(frame, context);
      }
      broken = [...broken, frame].slice(-joinedLines);
      judgeNoise(frame, broken, context);
    },
  };
});

function judgeBytes(frame: Frame, { held, broken }: RuleContext): void {
  if (frame.entry.flaw === 'not UTF-8') broken('R001', 'A line is not UTF-8', frame);
  // oxlint-disable-next-line no-control-regex -- ASCII proves nothing
  else if (/[^\x00-\x7f]/.test(frame.entry.text)) held('R001');
}

function judgeValue(frame: Frame, context: RuleContext): void {
  const { held, broken } = context;
  const value = frame.entry.message;
  if (Array.isArray(value)) return broken('R005', 'A line contains a batch: each message needs its own line', frame);
  if (asMessage(value) === undefined) return broken(noise(context), 'A line is not a message', frame);
  if (frame.kind === 'other')
    return broken('R005', 'A line is neither a request, nor a notification, nor an answer', frame);
  held('R005');
  if (frame.entry.text.includes('\\n')) held('R006');
  if (frame.message?.['jsonrpc'] !== '2.0') broken(noise(context), 'A message has no "jsonrpc": "2.0"', frame);
}

function judgeNoise(frame: Frame, lines: readonly Frame[], context: RuleContext): void {
  const { text } = frame.entry;
  if (isSeveral(text)) return context.broken('R005', 'A line contains more than one message', frame);
  context.broken(noise(context), text.trim() === '' ? 'A line is empty' : 'A line is not JSON', frame);
  const start = lines.findIndex((_, index) => isMessageOver(lines.slice(index)));
  if (start !== -1) context.broken('R006', 'A message is spread over several lines', ...lines.slice(start));
}

function isSeveral(text: string): boolean {
  const ends = [...text.matchAll(/\}\s*\{/g)].slice(0, joinedLines);
  return ends.some(({ index }) => isObject(text.slice(0, index + 1)) && startsLikeMessage(text.slice(index + 1)));
}

function startsLikeMessage(text: string): boolean {
  return /^\s*\{\s*"(?:jsonrpc|id|method|params|result|error)"/.test(text);
}

/** Whether these lines form one message, either as they are or with escaped line breaks. */
function isMessageOver(lines: readonly Frame[]): boolean {
  if (lines.length < 2 || !/^\s*\{/.test(lines[0]?.entry.text ?? '')) return false;
  const texts = lines.map(({ entry }) => entry.text);
  return isObject(texts.join('\n')) || isObject(texts.join('\\n'));
}

function isObject(text: string): boolean {
  return asMessage(parsed(text)) !== undefined;
}

function noise({ judged }: RuleContext): 'R009' | 'R010' {
  return judged === 'agent' ? 'R009' : 'R010';
}
