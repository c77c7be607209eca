import { logIn } from './command-line.ts';
import { serveCoder } from './serve-coder.ts';

async function main(): Promise<void> {
  // The proxy module is loaded only if a proxy is configured.
  if (Object.keys(process.env).some((name) => /^(?:https?|all)_proxy$/i.test(name)))
    (await import('./network/proxies.ts')).fetchThroughProxies(process.env);
  // Clients run this program with the argument `login` in a terminal.
  if (process.argv[2] === 'login') process.exitCode = await logIn({ provider: process.argv[3] });
  else serveCoder();
}

void main();
