// The agent with the official SDK, as a program.
import { Readable, Writable } from 'node:stream';
import { serveOfficialAgent } from './official-agent-app.mjs';

serveOfficialAgent(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
