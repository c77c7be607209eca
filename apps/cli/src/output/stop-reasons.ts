const remarks: Readonly<Record<string, string | undefined>> = {
  cancelled: 'the turn was cancelled',
  max_tokens: 'the agent stopped: its model reached the limit of tokens',
  max_turn_requests: 'the agent stopped: it reached its limit of model calls in one turn',
  refusal: 'the agent refused to continue; the prompt and everything after it will not be part of the conversation',
};

/** A message about why a turn ended, where it needs one. */
export function remarkOn(stopReason: string | undefined): string | undefined {
  return stopReason === undefined ? undefined : remarks[stopReason];
}
