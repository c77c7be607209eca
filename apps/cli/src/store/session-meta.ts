import type { SessionSettings } from './session-record.ts';

/**
 * The settings of a session beyond the protocol, in `_meta`: some agents read them, others ignore them. The allowed tools
 * are not among them: an agent that allows them to itself would not ask about them, and no deny rule would apply.
 */
export function metaOf(settings: SessionSettings): Readonly<Record<string, unknown>> | undefined {
  const { systemPrompt, appendSystemPrompt, model, maxTurns } = settings;
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
