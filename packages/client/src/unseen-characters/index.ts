export { terminalSequence } from './terminal-sequence.ts';
export {
  type CharacterContext,
  type HiddenCharacter,
  hiddenCharacters,
  isExpected,
  isVariantOfEmoji,
  unseen,
} from './unseen-characters.ts';
