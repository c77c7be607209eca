/** Sees every frame of a connection as it stands on the wire, in order. Must not throw. */
export type FrameTap = (direction: 'in' | 'out', frame: string) => void;
