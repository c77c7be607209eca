import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { ContentBlock } from '@turnwire/protocol';
import type { SessionAgent } from './session-agent.ts';
import type { StoredRecord } from './stored-record.ts';

/** Keeps what of an event of a session belongs in its record. */
export function noteEvent(event: TranscriptEvent, record: StoredRecord, agent: SessionAgent): void {
  if (event.type === 'setup') noteSetup(event, record, agent);
  if (event.type === 'boundary' && event.reason === 'context-lost') record.note({ contextLostAt: event.at });
  if (event.type !== 'update') return;
  const { update } = event;
  if (update.sessionUpdate === 'session_info_update' && 'title' in update) record.save({ title: update.title ?? null });
  if (update.sessionUpdate === 'config_option_update') record.note({ configOptions: update.configOptions });
  const { modes } = record.facts;
  if (update.sessionUpdate === 'current_mode_update' && modes)
    record.note({ modes: { ...modes, currentModeId: update.currentModeId } });
}

/** Keeps that a session was prompted, and when. Its first words are its title until it has another one. */
export function notePrompt([first]: readonly ContentBlock[], record: StoredRecord): void {
  const { current, facts } = record;
  const words = first?.type === 'text' ? first.text.trim().split('\n', 1)[0]?.slice(0, 80) : undefined;
  record.save({
    updatedAt: Date.now(),
    ...(current.title === null && words && { title: words }),
    ...(facts.isPrompted !== true && { facts: { ...facts, isPrompted: true } }),
  });
}

function noteSetup(
  { at, modes, configOptions }: TranscriptEvent & { readonly type: 'setup' },
  record: StoredRecord,
  { sessionId: agentSessionId, info: agentInfo, canRestore }: SessionAgent,
): void {
  record.note({
    setUpAt: at,
    ...(agentSessionId !== undefined && { agentSessionId }),
    ...(agentInfo && { agentInfo }),
    ...(canRestore !== undefined && { canRestore }),
    modes: modes ?? null,
    configOptions: configOptions ?? null,
  });
}
