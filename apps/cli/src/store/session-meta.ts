import type { SessionSettings } from './session-record.ts';

type MetaSettings = Pick<SessionSettings, 'systemPrompt' | 'appendSystemPrompt' | 'model' | 'maxTurns'>;

/**
 * The session settings beyond the protocol, for `_meta`: some agents read them, others ignore them. The allowed tools are not included: an
 * agent that allows them by itself would not ask, and no deny rule would apply.
 */
export function metaOf({
  systemPrompt,
  appendSystemPrompt,
  model,
  maxTurns,
}: MetaSettings): Readonly<Record<string, unknown>> | undefined {
  const claude = {
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
  };
  const meta = {
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { systemPrompt: { append: appendSystemPrompt } }),
    ...(Object.keys(claude).length > 0 && { claudeCode: { options: claude } }),
  };
  return Object.keys(meta).length > 0 ? meta : undefined;
}
