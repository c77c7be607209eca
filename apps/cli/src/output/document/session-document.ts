import type { TranscriptView } from '@turnwire/client/transcript';

/** A session as a text to read or to keep. */
export interface SessionDocument {
  /** Its title or its first words; one line. */
  readonly title: string;
  /** Rows of what else is to be said of it: names with values. */
  readonly facts: Readonly<Record<string, string>>;
  readonly view: TranscriptView;
}
