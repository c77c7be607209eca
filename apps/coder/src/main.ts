import { logIn } from './command-line.ts';
import { serveCoder } from './serve-coder.ts';

// Clients offer this login at a terminal: this program with that word.
if (process.argv[2] === 'login') void logIn({ provider: process.argv[3] }).then((code) => (process.exitCode = code));
else serveCoder();
