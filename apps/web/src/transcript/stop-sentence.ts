/** How a turn ended, as a sentence that says what to do; undefined for a turn that simply ended. */
export function stopSentence(reason: string | undefined, error: string | undefined): string | undefined {
  if (error !== undefined) return `The turn failed: ${error}`;
  switch (reason) {
    case 'end_turn':
    case undefined:
      return undefined;
    case 'cancelled':
      return 'The turn was cancelled.';
    case 'max_tokens':
      return 'The answer reached the longest length the model may write. Ask it to go on.';
    case 'max_turn_requests':
      return 'The agent has called its model as often as it may in a turn. Ask it to go on.';
    case 'refusal':
      return 'The agent refuses to go on with this. What was said in this turn is not part of its next prompt: ask differently.';
    default:
      return `The turn ended for a reason that this page does not know: ${reason}. Send another prompt to go on.`;
  }
}
