import { logIn } from './command-line.ts';
import { fetchThroughProxies } from './network/proxies.ts';
import { serveCoder } from './serve-coder.ts';

fetchThroughProxies(process.env);
// Clients offer this login at a terminal: this program with that word.
if (process.argv[2] === 'login') void logIn({ provider: process.argv[3] }).then((code) => (process.exitCode = code));
else serveCoder();
