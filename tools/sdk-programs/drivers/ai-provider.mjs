// node ai-provider.mjs TURN: one turn with the AI SDK's streamText.
import { createACPProvider } from '@mcpc-tech/acp-ai-provider';
import { streamText } from 'ai';

const { agent, work, prompt, load } = JSON.parse(process.argv[2]);
const [command, ...args] = agent;
const provider = createACPProvider({
  command,
  args,
  env: process.env,
  session: { cwd: work, mcpServers: [] },
  ...(load && { existingSessionId: load }),
});
const { textStream } = streamText({
  model: provider.languageModel(),
  prompt,
  tools: provider.tools,
  onError: ({ error }) => {
    console.error(error);
    process.exitCode = 1;
  },
});
for await (const text of textStream) process.stdout.write(text);
provider.cleanup();
