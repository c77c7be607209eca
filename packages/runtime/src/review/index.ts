export { TurnRecorder, type TurnRecorderOptions } from './turn-recorder.ts';
