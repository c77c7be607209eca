import { logIn } from './command-line.ts';
import { serveCoder } from './serve-coder.ts';

async function main(): Promise<void> {
  // Without a proxy, nothing is loaded for one.
  if (Object.keys(process.env).some((name) => /^(?:https?|all)_proxy$/i.test(name)))
    (await import('./network/proxies.ts')).fetchThroughProxies(process.env);
  // Clients offer this login at a terminal: this program with that word.
  if (process.argv[2] === 'login') process.exitCode = await logIn({ provider: process.argv[3] });
  else serveCoder();
}

void main();
