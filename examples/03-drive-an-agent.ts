import { launchAgent } from '@turnwire/client/node';

const agent = await launchAgent('turnwire coder');
const session = await agent.newSession({ cwd: process.cwd() });
for await (const update of session.prompt('list files')) console.log(update);
await agent.close();
