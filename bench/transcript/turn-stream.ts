import type { ContentBlock, SessionUpdate } from '@turnwire/protocol';

/** Updates of one tool call, from its beginning to its end. */
const callLength = 12;
/** Updates of one round: thoughts, a message and a tool call. */
const roundLength = 40;

/** The update at an index of a realistic turn: thoughts, messages in chunks, commands with their output, and sometimes a plan. */
export function updateAt(index: number): SessionUpdate {
  const round = Math.floor(index / roundLength);
  const step = index % roundLength;
  if (step < 8) return { sessionUpdate: 'agent_thought_chunk', content: text(`and then I look at ${index} `) };
  if (step < 8 + callLength) return callUpdate(`call-${round}`, step - 8);
  if (step === 20) return { sessionUpdate: 'plan', entries: planOf(round) };
  if (step === 21) return { sessionUpdate: 'usage_update', used: index, size: 1_000_000 };
  return {
    sessionUpdate: 'agent_message_chunk',
    messageId: `message-${round}`,
    content: text(`some words of answer ${index} `),
  };
}

function callUpdate(toolCallId: string, step: number): SessionUpdate {
  if (step === 0) {
    const rawInput = { command: 'npm test' };
    return {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: 'Run npm test',
      kind: 'execute',
      status: 'pending',
      rawInput,
    };
  }
  if (step === callLength - 1) {
    const rawOutput = { exitCode: 0 };
    return { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput };
  }
  const terminal_output = {
    terminal_id: toolCallId,
    data: `ok ${toolCallId} ${step} a line of what the command prints\n`,
  };
  return { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress', _meta: { terminal_output } };
}

function planOf(round: number): { content: string; priority: 'high'; status: 'pending' | 'completed' }[] {
  const steps = ['Look', 'Change', 'Test', 'Tell'];
  return steps.map((content, index) => ({
    content,
    priority: 'high',
    status: index < round % 5 ? 'completed' : 'pending',
  }));
}

function text(words: string): ContentBlock {
  return { type: 'text', text: words };
}
