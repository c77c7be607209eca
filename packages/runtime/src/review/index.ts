export { TurnRecorder } from './turn-recorder.ts';
