import type { Line, LineReceiver } from '../../wire/line.ts';

/** A line that is not listened to until it is said to be. */
export interface LateLine extends Line {
  listen(): void;
}

export function lateLine(line: Line): LateLine {
  let receiver: LineReceiver | undefined;
  return {
    ...line,
    start: (given) => void (receiver = given),
    listen: () => {
      if (receiver !== undefined) line.start(receiver);
    },
  };
}
