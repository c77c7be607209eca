import { serveCoder } from './serve-coder.ts';

serveCoder();
