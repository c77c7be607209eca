// node agent-process.js CONTENDER: the scripted agent, over stdin and stdout.
import type { ProgramName } from './contender.ts';
import { loadContender } from './load-contender.ts';

const contender = await loadContender(process.argv[2] as ProgramName);
contender.serveStdio();
