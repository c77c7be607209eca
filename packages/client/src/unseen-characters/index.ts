export { cleanJson, cleanLine, cleanText, TextCleaner, visibleLine, visibleText } from './clean-text.ts';
export { terminalSequence } from './terminal-sequence.ts';
export {
  type CharacterContext,
  type HiddenCharacter,
  hiddenCharacters,
  isExpected,
  isVariantOfEmoji,
  unseen,
} from './unseen-characters.ts';
