const remarks: Readonly<Record<string, string | undefined>> = {
  max_tokens: 'the agent stopped: its model reached the limit of tokens',
  max_turn_requests: 'the agent stopped: it reached its limit of model calls in one turn',
  refusal: 'the agent refused to go on; what was said since the prompt will not be part of the conversation',
};

/** What to tell the user about why a turn ended, where that is not plain. */
export function remarkOn(stopReason: string | undefined): string | undefined {
  return stopReason === undefined ? undefined : remarks[stopReason];
}
