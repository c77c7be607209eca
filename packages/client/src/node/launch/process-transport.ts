import { TurnwireError, type Transport } from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import { type AgentProcess, describeExit } from './agent-process.ts';

/** After stdout closed: milliseconds to wait for the exit that usually follows. */
const exitWait = 1_000;

/** The frames of a process's stdin and stdout. Their end is reported with the exit of the process. */
export function processTransport(agent: AgentProcess): Transport {
  const wire = stdioTransport({ input: agent.stdout, output: agent.stdin, noise: 'report' });
  return {
    start: (receiver) => {
      let ended = false;
      const end = (what: string): void => {
        if (ended) return;
        ended = true;
        receiver.end(new TurnwireError('connection-closed', agent.report(what)));
      };
      void agent.exited.then((exit) => end(describeExit(exit)));
      wire.start({
        frame: (text, about) => (ended ? undefined : receiver.frame(text, about)),
        warning: (report) => {
          if (report.kind === 'noise') agent.printedNoise(report.excerpt ?? '');
          receiver.warning(report);
        },
        end: () => void setTimeout(end, exitWait, 'closed its stdout but is still running').unref(),
      });
    },
    send: (frame, about) => wire.send(frame, about),
    close: () => wire.close(),
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  };
}
