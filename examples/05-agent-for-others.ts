import { readFileSync } from 'node:fs';
import { serveAgent } from '@turnwire/agent/node';

const { AGENT_TOKEN: token, AGENT_PORT: port = '0', AGENT_KEY: key, AGENT_CERTIFICATE: cert } = process.env;

const agent = await serveAgent(
  { info: { name: 'echo', version: '1.0.0' }, prompt: (turn) => turn.say(`You said: ${turn.text}`) },
  {
    listen: {
      token,
      port: Number(port),
      // Other machines can reach the agent only with TLS, by the name in its certificate.
      ...(key &&
        cert && { host: '0.0.0.0', hosts: ['box.example'], tls: { key: readFileSync(key), cert: readFileSync(cert) } }),
    },
  },
);
console.log(agent.url);
if (token === undefined) console.log(`TURNWIRE_TOKEN=${agent.token}`);
