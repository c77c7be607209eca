import { Exchange, type Upgraded } from '../../../remote/exchange.ts';
import { opcodes } from '../../../remote/raw-web-socket.ts';
import { asMessage, parsed } from '../../../wire/messages.ts';
import type { AgentScript, AgentScripts, AgentContext } from '../../agent-context.ts';
import { bareClient, introductionIn } from '../../host/client-offer.ts';

function initialize({ version }: AgentContext): string {
  const params = introductionIn(version, bareClient);
  return JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params });
}

function ask(id: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: '_turnwire/unknown' });
}

/** A scenario that writes its own WebSocket frames; the sockets are closed after it. */
function byHand(run: (upgrade: () => Promise<Upgraded>, context: AgentContext) => Promise<void>): AgentScript {
  return async (context) => {
    const exchange = new Exchange(context.endpoint, context.startTimeout);
    const opened: Upgraded[] = [];
    const upgrade = async (): Promise<Upgraded> => {
      const upgraded = await exchange.upgrade();
      opened.push(upgraded);
      return upgraded;
    };
    try {
      await run(upgrade, context);
    } finally {
      for (const { socket } of opened) socket.close();
      exchange.close();
    }
  };
}

/** The answer to `initialize`, in any kind of frame. */
function greeted({ socket }: Upgraded, context: AgentContext): ReturnType<Upgraded['socket']['find']> {
  socket.send(opcodes.text, initialize(context));
  return socket.find(({ text }) => text.includes('"first"'), context.startTimeout);
}

export const webSocketScenarios: AgentScripts = {
  'remote/upgrade': byHand(async (upgrade, { see }) => {
    const { headers } = await upgrade();
    see.check('R353', headers['acp-connection-id'] === undefined && 'the 101 response has no Acp-Connection-Id header');
  }),
  'remote/text-frames': byHand(async (upgrade, context) => {
    const answer = await greeted(await upgrade(), context);
    const missing = answer === undefined && 'initialize was not answered';
    const isText = answer?.opcode === opcodes.text && asMessage(parsed(answer.text)) !== undefined;
    context.see.check(
      'R354',
      missing || (!isText && `the answer arrived in a frame with opcode ${answer?.opcode} instead of a text frame`),
    );
  }),
  'remote/binary-frames': byHand(async (upgrade, context) => {
    const upgraded = await upgrade();
    await greeted(upgraded, context);
    upgraded.socket.send(opcodes.binary, ask('binary'));
    upgraded.socket.send(opcodes.text, ask('asked'));
    const after = await upgraded.socket.find(({ text }) => text.includes('"asked"'), context.settings.timeouts.answer);
    const isIgnored = !upgraded.socket.frames.some(({ text }) => text.includes('"binary"'));
    const isLost = after === undefined && 'the message after a binary frame was not answered';
    context.see.check('R355', isIgnored ? isLost : 'a message in a binary frame was answered');
  }),
  'remote/cut-frame': byHand(async (upgrade, context) => {
    const [one, other] = [await upgrade(), await upgrade()];
    await greeted(one, context);
    await one.socket.cutAfter(20, initialize(context));
    await greeted(other, context);
    other.socket.send(opcodes.text, ask('asked'));
    const after = await other.socket.find(({ text }) => text.includes('"asked"'), context.settings.timeouts.answer);
    const fault = after === undefined && 'a message was not answered after another connection had been cut off';
    context.see.check('R352', fault);
  }),
};
