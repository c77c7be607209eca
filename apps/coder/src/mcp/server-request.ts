import { restored, withMarkedIntegers } from '@turnwire/machine';
import type { ToolCallContent } from '@turnwire/protocol';
import type { ToolReport } from '@turnwire/agent';
import { ToolError } from '../tool-error.ts';
import type { Progress, RequestTerms } from './connection.ts';

const longestPreview = 4_000;
const progressPause = 250;

/** The input of a call as an object; nothing else is checked here. */
export function fieldsOf(input: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input };
  throw new ToolError(`The input of ${name} has to be an object.`);
}

/** The input of a call, for the user who is asked. */
export function previewOf(values: Readonly<Record<string, unknown>>): readonly ToolCallContent[] {
  if (Object.keys(values).length === 0) return [];
  const json = restored(JSON.stringify(withMarkedIntegers(values), undefined, 2));
  const fence = '`'.repeat(Math.max(3, ...(json.match(/`+/gu) ?? []).map((run) => run.length + 1)));
  const text = `${fence}json\n${shortened(json, longestPreview)}\n${fence}`;
  return [{ type: 'content', content: { type: 'text', text } }];
}

export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Makes a request and shows its progress, at most four times a second. All of it is shown before the result. */
export async function withProgress<Value>(
  { report, signal }: { readonly report: ToolReport; readonly signal: AbortSignal },
  request: (terms: RequestTerms) => Promise<Value>,
): Promise<Value> {
  let shown: Promise<void> = Promise.resolve();
  let next = 0;
  const progress = (step: Progress): void => {
    if (Date.now() < next) return;
    next = Date.now() + progressPause;
    shown = shown.then(() => report.progress(progressLine(step))).catch(() => undefined);
  };
  try {
    return await request({ signal, progress });
  } finally {
    await shown;
  }
}

function progressLine({ progress, total, message }: Progress): string {
  const part = total === undefined ? String(progress) : `${progress} of ${total}`;
  return shortened(message ? `${message} (${part})` : part, 500);
}
