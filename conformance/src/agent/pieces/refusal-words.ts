import { asMessage, type ReplyError } from '../../wire/messages.ts';

/** What an error says: its message, and its details, where many agents put the real reason. */
export function refusalWords({ message, data }: ReplyError): string {
  const details = asMessage(data)?.['details'];
  return typeof details === 'string' ? `${String(message)}: ${details.slice(0, 200)}` : String(message);
}
