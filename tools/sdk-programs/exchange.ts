import type { Json } from '../real-agents/model/format.ts';

/** Our coding agent sends it when the model server has listed its models, which may be after the turn. */
const atAnyTime: ReadonlySet<string> = new Set(['session/update config_option_update']);

/**
 * The kinds of messages of a conversation, each once and sorted. They are the same in two runs of one turn, whose ids, texts and times
 * differ.
 */
export function exchangeOf(frames: readonly string[]): readonly string[] {
  const kinds = frames.flatMap((line) => {
    try {
      return [kindOf(JSON.parse(line) as Json)];
    } catch {
      return [];
    }
  });
  return [...new Set(kinds)].filter((kind) => !atAnyTime.has(kind)).toSorted();
}

function kindOf({ method, params, result, error }: Json): string {
  if (typeof method === 'string') {
    const { update = {} } = (params ?? {}) as { readonly update?: Json };
    const details = [update['sessionUpdate'], update['status']].filter((each) => typeof each === 'string');
    return [method, ...details].join(' ');
  }
  if (error !== undefined) return `error ${String((error as Json)['code'])}`;
  const { stopReason, outcome } = (result ?? {}) as {
    readonly stopReason?: string;
    readonly outcome?: { readonly outcome: string };
  };
  const end = stopReason ?? outcome?.outcome;
  return ['answer', ...Object.keys(result ?? {}).toSorted(), ...(end === undefined ? [] : [`is ${end}`])].join(' ');
}
