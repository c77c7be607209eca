import type { Line, LineReceiver } from '../../wire/line.ts';

/** A line that is not listened to until it is said to be. */
export interface LateLine extends Line {
  listen(): void;
  /** Has these bytes sent in place of the next text, so that a journal shows that something was. */
  replaceNext(bytes: Uint8Array): void;
}

export function lateLine(line: Line): LateLine {
  let receiver: LineReceiver | undefined;
  let inPlace: Uint8Array | undefined;
  return {
    ...line,
    start: (given) => void (receiver = given),
    listen: () => {
      if (receiver !== undefined) line.start(receiver);
    },
    replaceNext: (bytes) => void (inPlace = bytes),
    send: (text) => {
      if (inPlace === undefined) line.send(text);
      else void line.sendBytes?.(inPlace);
      inPlace = undefined;
    },
  };
}
