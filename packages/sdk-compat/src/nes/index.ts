import { absent } from '../json-rpc/absent.ts';

// A program learns at once that the entry is missing, instead of reading an error about the exports of a package.
throw absent(
  'the entry "/experimental/nes"',
  'handle the methods nes/… and document/… with onRequest, onNotification and a parser, or use the official package',
);
