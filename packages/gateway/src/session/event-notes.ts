import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { SessionAgent } from './session-agent.ts';
import type { StoredRecord } from './stored-record.ts';

/** Keeps what of an event of a session belongs in its record. */
export function noteEvent(event: TranscriptEvent, record: StoredRecord, agent: SessionAgent): void {
  if (event.type === 'setup') noteSetup(event, record, agent);
  if (event.type === 'boundary' && event.reason === 'context-lost') record.note({ contextLostAt: event.at });
  if (event.type !== 'update') return;
  const { update } = event;
  if (update.sessionUpdate === 'session_info_update' && 'title' in update) record.save({ title: update.title ?? null });
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
