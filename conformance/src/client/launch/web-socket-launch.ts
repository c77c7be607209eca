import type { Duplex } from 'node:stream';
import { opcodes, RawWebSocket } from '../../remote/raw-web-socket.ts';
import type { LineReceiver } from '../../wire/line.ts';
import type { Launch } from './launch.ts';

/** A client that reaches its agent over a WebSocket, from the upgrade on. */
export function webSocketLaunch(wire: Duplex, head: Buffer): Launch {
  let receiver: LineReceiver | undefined;
  let binaryMessages = 0;
  const socket = new RawWebSocket(wire, {
    head,
    isServer: true,
    onFrame: ({ opcode, text }) => {
      if (opcode === opcodes.ping) socket.send(opcodes.pong, text);
      if (opcode === opcodes.close) wire.end();
      if (opcode === opcodes.binary) binaryMessages += 1;
      if (opcode === opcodes.text || opcode === opcodes.binary) receiver?.text(text);
    },
  });
  wire.once('close', () => receiver?.end());
  return {
    line: {
      start: (value) => void (receiver = value),
      send: (text) => socket.send(opcodes.text, text),
      close: () => Promise.resolve(socket.close()),
    },
    connection: {
      profile: 'websocket',
      cutIn: (text) => void socket.cutAfter(text.length / 2, text),
      sendBinary: (text) => socket.send(opcodes.binary, text),
      binaryMessages: () => binaryMessages,
    },
  };
}
