import type { TranscriptEvent } from '@turnwire/client/transcript';
import { checks } from '@turnwire/protocol';

/** The maximum size of an event in an archive, in bytes, so that archives are read in bounded memory. */
export const longestEvent: number = 4 * 2 ** 20;

type Fields = Readonly<Record<string, unknown>>;

/** The latest time that a Date can hold, in milliseconds since the epoch. */
const latest = 8.64e15;

/** Checks of the fields that are read of each event type, in addition to its time. */
const fits: Readonly<Record<string, (event: Fields) => boolean>> = {
  prompt: ({ turnId, content }) =>
    typeof turnId === 'string' && Array.isArray(content) && content.every((block) => checks.ContentBlock(block)),
  update: ({ update }) => isUpdate(update),
  'turn-ended': ({ turnId, stopReason }) => typeof turnId === 'string' && typeof stopReason === 'string',
  'turn-failed': ({ turnId, message }) => typeof turnId === 'string' && typeof message === 'string',
  boundary: ({ message }) => typeof message === 'string',
  remark: ({ title }) => typeof title === 'string',
};

/** Whether a value is a history event. Events of unknown types count, and readers ignore them. */
export function isHistoryEvent(value: unknown): value is TranscriptEvent {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { at, type } = value as Fields;
  if (typeof at !== 'number' || Math.abs(at) > latest || typeof type !== 'string') return false;
  return Object.hasOwn(fits, type) ? (fits[type]?.(value as Fields) ?? true) : true;
}

/** Whether a value is an update. Updates of unknown kinds count, and readers ignore them. */
function isUpdate(update: unknown): boolean {
  if (typeof update !== 'object' || update === null) return false;
  const { sessionUpdate } = update as Fields;
  if (sessionUpdate === 'agent_message_chunk' || sessionUpdate === 'tool_call') return checks.SessionUpdate(update);
  return typeof sessionUpdate === 'string';
}
