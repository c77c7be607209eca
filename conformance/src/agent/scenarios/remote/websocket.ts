import { Exchange, type Upgraded } from '../../../remote/exchange.ts';
import { opcodes } from '../../../remote/raw-web-socket.ts';
import { asMessage, parsed } from '../../../wire/messages.ts';
import type { AgentScript, AgentScripts, AgentStage } from '../../agent-stage.ts';

const params = { protocolVersion: 1, clientCapabilities: {} };
const initialize = JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params });

function ask(id: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: '_turnwire/unknown' });
}

/** Runs a scenario with WebSockets by hand, which are closed behind it. */
function byHand(run: (upgrade: () => Promise<Upgraded>, stage: AgentStage) => Promise<void>): AgentScript {
  return async (stage) => {
    const exchange = new Exchange(stage.endpoint, stage.startPatience);
    const opened: Upgraded[] = [];
    const upgrade = async (): Promise<Upgraded> => {
      const upgraded = await exchange.upgrade();
      opened.push(upgraded);
      return upgraded;
    };
    try {
      await run(upgrade, stage);
    } finally {
      for (const { socket } of opened) socket.close();
      exchange.close();
    }
  };
}

/** The answer to `initialize`, whatever kind of frame it is in. */
function greeted({ socket }: Upgraded, stage: AgentStage): ReturnType<Upgraded['socket']['find']> {
  socket.send(opcodes.text, initialize);
  return socket.find(({ text }) => text.includes('"first"'), stage.startPatience);
}

export const webSocketScenarios: AgentScripts = {
  'remote/upgrade': byHand(async (upgrade, { see }) => {
    const { headers } = await upgrade();
    see.check('R353', headers['acp-connection-id'] === undefined && 'the 101 has no Acp-Connection-Id');
  }),
  'remote/text-frames': byHand(async (upgrade, stage) => {
    const answer = await greeted(await upgrade(), stage);
    const missing = answer === undefined && 'initialize was not answered';
    const isText = answer?.opcode === opcodes.text && asMessage(parsed(answer.text)) !== undefined;
    stage.see.check('R354', missing || (!isText && `the answer came in a frame of kind ${answer?.opcode}`));
  }),
  'remote/binary-frames': byHand(async (upgrade, stage) => {
    const upgraded = await upgrade();
    await greeted(upgraded, stage);
    upgraded.socket.send(opcodes.binary, ask('binary'));
    upgraded.socket.send(opcodes.text, ask('asked'));
    const after = await upgraded.socket.find(({ text }) => text.includes('"asked"'), stage.settings.patience.answer);
    const isIgnored = !upgraded.socket.frames.some(({ text }) => text.includes('"binary"'));
    const isLost = after === undefined && 'a message behind it was not answered';
    stage.see.check('R355', isIgnored ? isLost : 'a message in a binary frame was answered');
  }),
  'remote/cut-frame': byHand(async (upgrade, stage) => {
    const [one, other] = [await upgrade(), await upgrade()];
    await greeted(one, stage);
    await one.socket.cutAfter(20, initialize);
    await greeted(other, stage);
    other.socket.send(opcodes.text, ask('asked'));
    const after = await other.socket.find(({ text }) => text.includes('"asked"'), stage.settings.patience.answer);
    const fault = after === undefined && 'after another connection was cut off, a message was not answered';
    stage.see.check('R352', fault);
  }),
};
