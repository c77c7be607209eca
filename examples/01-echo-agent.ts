import { serveAgent } from '@turnwire/agent/node';

serveAgent({
  info: { name: 'echo', version: '1.0.0' },
  prompt: (turn) => turn.say(`You said: ${turn.text}`),
});
