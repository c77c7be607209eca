import { ContentBlock } from './content.ts';
import { list, meaning, nullable, object, openChoice, optional, required, string } from './language.ts';

export const CompactionId = meaning(
  string,
  'Names a compaction: the agent putting a summary in place of earlier context. Unique in its session; the agent chooses it.',
);

export const CompactionStatus = openChoice('How far a compaction has come. Names that start with `_` are free for anyone’s use.', {
  in_progress: 'Running.',
  completed: 'Done.',
  failed: 'Ended with an error.',
  cancelled: 'Stopped before its end.',
});

export const CompactionUpdate = object(
  'A compaction begins or has come further. The first one marks its place in the conversation. Of what is optional, absent means as before, and `null` takes it away. Needs the client capability `session.compaction`.',
  {
    compactionId: required(CompactionId, 'The compaction.'),
    status: required(CompactionStatus, 'How far it has come.'),
    summary: optional(nullable(list(ContentBlock)), 'All of the summary, in place of what was there; an empty list takes it away.')
      .orAbsent()
      .withoutBadItems(),
    error: optional(nullable(string), 'What went wrong, for the user.').orAbsent(),
  },
);

export const CompactionSummaryChunk = object(
  'A piece to put at the end of a compaction’s summary. An id not met before begins a compaction. Needs the client capability `session.compaction`.',
  {
    compactionId: required(CompactionId, 'The compaction.'),
    content: required(ContentBlock, 'The piece.'),
  },
);
