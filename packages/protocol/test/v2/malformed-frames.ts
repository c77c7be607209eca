/** Numbers below 1 that are the same for the same seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const odd: readonly string[] = [
  'null',
  'true',
  '-0',
  '1.5',
  '1e999',
  '9007199254740993',
  '"\\ud800"',
  '""',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '{"__proto__":{"a":1}}',
  '{"type":"x"}',
  '{"sessionUpdate":"constructor"}',
  `"${'x'.repeat(300)}"`,
  `${'['.repeat(400)}${']'.repeat(400)}`,
];

/** Valid messages of both sides, with the parts that are spoiled between braces. */
const templates: readonly string[] = [
  '{"jsonrpc":"2.0","id":⟨7⟩,"method":"initialize","params":{"protocolVersion":⟨2⟩,"info":⟨{"name":"n","version":"1"}⟩,"capabilities":⟨{}⟩}}',
  '{"jsonrpc":"2.0","id":⟨7⟩,"method":"session/new","params":{"cwd":⟨"/"⟩,"mcpServers":⟨[]⟩}}',
  '{"jsonrpc":"2.0","id":⟨"p"⟩,"method":"session/prompt","params":{"sessionId":⟨"s"⟩,"prompt":[⟨{"type":"text","text":"a"}⟩],"idempotencyKey":⟨"k"⟩}}',
  '{"jsonrpc":"2.0","id":⟨7⟩,"method":"session/resume","params":{"sessionId":"s","cwd":"/","replayFrom":{"type":⟨"start"⟩}}}',
  '{"jsonrpc":"2.0","id":⟨7⟩,"method":"tool_call/cancel","params":{"sessionId":"s","toolCallId":⟨"t"⟩}}',
  '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":⟨"s"⟩}}',
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":⟨"s"⟩,"update":{"sessionUpdate":⟨"tool_call_update"⟩,"toolCallId":⟨"t"⟩,"content":⟨[]⟩,"_meta":⟨{}⟩}}}',
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":⟨"idle"⟩,"stopReason":⟨"error"⟩,"background":⟨[]⟩}}}',
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"terminal_output_chunk","terminalId":⟨"t"⟩,"data":⟨"AA=="⟩}}}',
  '{"jsonrpc":"2.0","id":⟨7⟩,"method":"session/request_permission","params":{"sessionId":"s","title":⟨"t"⟩,"options":⟨[{"optionId":"a","name":"A","kind":"x"}]⟩}}',
  '{"jsonrpc":"2.0","id":⟨7⟩,"method":"elicitation/create","params":{"message":"m","mode":⟨"url"⟩,"elicitationId":"e","url":⟨"https://a"⟩,"sessionId":⟨"s"⟩}}',
  '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":⟨7⟩}}',
  '{"jsonrpc":"2.0","id":⟨7⟩,"result":⟨{}⟩}',
  '{"jsonrpc":⟨"2.0"⟩,"id":7,"method":⟨"_x"⟩}',
  '{"id":7,"error":⟨{"code":1,"message":"m"}⟩}',
  '[⟨{}⟩,⟨{}⟩]',
  '⟨{}⟩',
];

/** A message of version 2 that is spoiled in some parts, cut short, or has a character of it changed. */
export function malformedText(random: () => number): string {
  const one = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const text = one(templates).replaceAll(/⟨(.*?)⟩/g, (_, valid: string) => (random() < 0.4 ? one(odd) : valid));
  const cut = random();
  if (cut < 0.05) return text.slice(0, Math.floor(random() * text.length));
  if (cut > 0.1) return text;
  const at = Math.floor(random() * text.length);
  return `${text.slice(0, at)}${String.fromCharCode(32 + Math.floor(random() * 95))}${text.slice(at + 1)}`;
}
